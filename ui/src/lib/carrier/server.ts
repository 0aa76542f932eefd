// The server that the page comes from: HTTP, and one WebSocket.

import type { Carrier } from "./carrier";

export const carrier: Carrier = {
  request: (path, init) => fetch(path, init),
  connect(ear) {
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/live`;
    const socket = new WebSocket(address);
    socket.onopen = () => ear.opened();
    socket.onmessage = (event) => ear.heard(JSON.parse(event.data));
    socket.onclose = () => ear.closed();
    return { send: (ask) => socket.send(JSON.stringify(ask)) };
  },
  can: { experiments: true, rest: true, parts: true },
  silence: { what: "The server does not answer", advice: "Is papamu still running?" },
};
