import { expect, it } from "vitest";
import { METHODS } from "../../../../src/hosts/gateway/rpc/methods.js";
import { STREAMS } from "../../../../src/hosts/gateway/socket/streams.js";
import { openGateway } from "../support/gateway.js";
import { fuzzFrames } from "../support/frame-fuzz.js";
import { SocketClient } from "../support/socket-client.js";
import { asking } from "../support/workflows.js";

/** FRAMES=100000 SEED=7 for more of them. */
const FRAMES = Number(process.env["FRAMES"] ?? 3_000);
const SEED = Number(process.env["SEED"] ?? 1);

it(`${FRAMES} malformed frames leave a gateway as it was`, async () => {
  const tokens = { right: { role: "operator", scopes: ["*"] } };
  const { url } = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)), {
    auth: { mode: "token", tokens },
  });
  const methods = [...Object.keys(METHODS), ...Object.keys(STREAMS), "stopStream", "connect"];
  const watching = await SocketClient.connect(url, { token: "right" });
  const report = await fuzzFrames({ url, frames: FRAMES, seed: SEED, methods, token: "right" });
  if (process.env["FRAMES"] !== undefined) {
    process.stdout.write(`${JSON.stringify({ ...report, rss: process.memoryUsage().rss })}\n`);
  }
  expect(report.failures).toEqual([]);
  expect(report.answers).toBeGreaterThan(report.frames / 4);
  // Closed by the client, or with what a client like that is closed with.
  for (const code of Object.keys(report.closes))
    expect([1000, 1003, 1005, 1006, 1007, 1008, 1009, 4400, 4401]).toContain(Number(code));
  expect(await watching.result("health")).toMatchObject({ ok: true });
});
