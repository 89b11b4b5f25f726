import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openGateway, rawRequest } from "../support/gateway.js";

/** As `curl --http2` and Java's HttpClient ask on every first request. */
const HTTP2 = {
  connection: "Upgrade, HTTP2-Settings",
  upgrade: "h2c",
  "http2-settings": "AAMAAABkAARAAAAAAAIAAAAA",
};
const JSON_TYPE = { "content-type": "application/json" };

it("A client that offers HTTP/2 is answered over HTTP/1.1, whatever it asks and however often", async () => {
  const { url } = await openGateway(() => {}, { maxConnections: 1 });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  let got = "";
  socket.on("data", (data) => {
    got += data;
  });
  const lines = Object.entries({ host: "localhost", ...HTTP2, ...JSON_TYPE }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  for (let count = 1; count <= 12; count += 1) {
    const [begin, end] = ['{"meth', 'od":"health"}'];
    socket.write(
      `POST /rpc HTTP/1.1\r\n${lines.join("\r\n")}\r\ncontent-length: ${begin.length + end.length}\r\n\r\n${begin}`,
    );
    setImmediate(() => socket.write(end));
    while (got.match(/"ok":true,"payload"/g)?.length !== count) await once(socket, "data");
  }
  expect(got.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(12);
});

it("A client that offers HTTP/2 before its earlier requests are answered gets every answer, in turn", async () => {
  const { url } = await openGateway(() => {});
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  let got = "";
  socket.on("data", (data) => {
    got += data;
  });
  const offer = Object.entries(HTTP2).map(([name, value]) => `${name}: ${value}\r\n`);
  const ask = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${more}\r\n`;
  socket.write(ask("/health") + ask("/nowhere") + ask("/health", offer.join("")) + ask("/nowhere"));
  const answers = () => got.match(/HTTP\/1\.1 \d+/g) ?? [];
  while (answers().length < 4) await once(socket, "data");
  expect(answers()).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200", "HTTP/1.1 404"]);
});

it("A client that offers HTTP/2 and may not be let in is refused as any other", async () => {
  const { url } = await openGateway(() => {}, {
    auth: { mode: "token", tokens: { all: { role: "operator", scopes: ["*"] } } },
  });
  const refused = await rawRequest(`${url}/workflows`, { headers: HTTP2 });
  expect({ ...refused, body: JSON.parse(refused.body) }).toMatchObject({
    status: 401,
    body: { error: { code: "UNAUTHORIZED" } },
  });
});

it("a failed upgrade to a WebSocket is answered with the reason, in the form of every error", async () => {
  const { url } = await openGateway(() => {});
  const headers = { connection: "Upgrade", upgrade: "websocket" };
  const { status, body } = await rawRequest(url, { headers });
  expect({ status, body: JSON.parse(body) }).toMatchObject({
    status: 400,
    body: { error: { code: "INVALID_INPUT", message: expect.stringContaining("Sec-WebSocket-Key") } },
  });
});
