// Numbers for people.

/** A share from 0 to 1. */
export const percent = (value: number, digits = 1) => `${(100 * value).toFixed(digits)} %`;

/** A count, short. */
export function count(number: number): string {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 1e4) return `${Math.round(number / 1e3)} k`;
  return String(Math.round(number));
}

/** A time. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** How long something takes. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  const days = seconds / 86_400;
  if (days < 2) return `${(seconds / 3600).toFixed(1)} h`;
  return days < 1000 ? `${Math.round(days)} days` : `${count(days / 365)} years`;
}

/** A side, at the beginning of a sentence. */
export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
