// The sounds of stones, made when they are heard: a file would be larger than this. They can be switched off.

import type { Change } from "./board/change";
import { keepText, recallText } from "./kept";

const KEY = "sound";

class Sound {
  #on = $state(recallText(KEY) !== "off");
  #context: AudioContext | undefined;

  get on(): boolean {
    return this.#on;
  }

  set on(on: boolean) {
    this.#on = on;
    keepText(KEY, on ? "on" : "off");
  }

  /** What a move sounds like: a stone that is put down, or one that goes over others. */
  move({ moved, come, gone, turned }: Change): void {
    if (moved) {
      const captured = Math.max(1, gone.length);
      for (let each = 0; each <= captured; each++) this.#knock(each === captured ? 900 : 1500, (each * 0.18) / captured);
    } else if (come.length > 0 || turned.length > 0) this.#knock(760, 0);
    else if (gone.length > 0) this.#knock(1500, 0);
  }

  /** A short knock: noise in which one pitch rings. */
  #knock(pitch: number, after: number): void {
    // A browser lets a page be heard once somebody has touched it, and some have no sound at all.
    if (!this.#on || !navigator.userActivation?.hasBeenActive || typeof AudioContext === "undefined") return;
    const context = (this.#context ??= new AudioContext());
    const begin = context.currentTime + after;
    const length = Math.ceil(0.06 * context.sampleRate);
    const buffer = context.createBuffer(1, length, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let at = 0; at < length; at++) samples[at] = (2 * Math.random() - 1) * (1 - at / length) ** 6;
    const source = new AudioBufferSourceNode(context, { buffer });
    const ringing = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 2.2 });
    const volume = new GainNode(context, { gain: 0.55 });
    source.connect(ringing).connect(volume).connect(context.destination);
    source.start(begin);
  }
}

export const sound = new Sound();
