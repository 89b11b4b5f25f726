import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "node:net";
import { openGateway } from "../support/gateway.js";

it("A subprotocol that a client asks for is not agreed to: the gateway speaks none", async () => {
  const { url } = await openGateway(() => {});
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const lines = {
    host: "localhost",
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-protocol": "graphql-ws, made.up",
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET / HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1\.1 101 /);
  expect(String(answer).toLowerCase()).not.toContain("sec-websocket-protocol");
});
