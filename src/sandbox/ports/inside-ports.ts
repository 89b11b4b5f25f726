import { connect } from "node:net";
import type { SandboxPort } from "../../model/sandbox-access.js";
import { join } from "./joined.js";

/** Where the folder of the ports stands inside: a socket for each, under its number outside. */
export const PORTS_INSIDE = "/run/treadle-ports";
/** The one byte that says to a waiting connection that it has a client now. */
export const GO = "\n";
/** Between two tries to reach the process outside, milliseconds. */
const AGAIN_MS = 50;

/**
 * Lets clients outside reach ports in here. One connection of each port waits outside for a client; as it gets one, another
 * takes its place.
 */
export function offerPorts(ports: readonly SandboxPort[]): void {
  for (const port of ports) offer(port);
}

function offer(port: SandboxPort): void {
  const waiting = connect({ path: `${PORTS_INSIDE}/${port.host}`, allowHalfOpen: true });
  waiting.unref();
  let isTaken = false;
  waiting.once("data", (first: Buffer) => {
    isTaken = true;
    waiting.pause();
    offer(port);
    const server = connect({ port: port.container, host: "127.0.0.1", allowHalfOpen: true });
    if (first.length > GO.length) waiting.unshift(first.subarray(GO.length));
    join(waiting, server);
  });
  waiting.on("error", () => waiting.destroy());
  waiting.on("close", () => {
    if (!isTaken) setTimeout(() => offer(port), AGAIN_MS).unref();
  });
}
