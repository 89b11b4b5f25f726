import type { Duplex } from "node:stream";
import { describeFailure } from "../../http/error-response.js";
import { builtin } from "../../../util/builtin.js";

/** Answers a request for a WebSocket as any other one that is refused. */
export function refuseUpgrade(socket: Duplex, thrown: unknown): void {
  const { status, body } = describeFailure(thrown);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${builtin("node:http").STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}
