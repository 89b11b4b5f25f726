import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { Workspace } from "./support/treadle.js";
import { HELLO } from "./support/workflows.js";

/** Names of the spans that arrive. */
async function listenForSpans() {
  const names: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      names.push(...[...body.matchAll(/"name":"([^"]+)","kind"/g)].map(([, name = ""]) => name));
      response.end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { names, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe("up", () => {
  it("logs its run to stderr in the format that the environment names, and nothing to stdout", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO });
    const env = { SERVICE_LOG_FORMAT: "json", SERVICE_LOG_LEVEL: "info" };
    const { code, stdout, stderr } = await workspace.treadle(["up", "hello.tsx", "--json"], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "finished" });
    const records = stderr
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as { message: string; level: string });
    expect(records.map(({ message }) => message)).toEqual(["run started", "run finished"]);
  });

  it("logs nothing unless it is asked to", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO });
    const env = { SERVICE_LOG_FORMAT: "", SERVICE_LOG_LEVEL: "" };
    const { stderr } = await workspace.treadle(["up", "hello.tsx", "--json"], { env });
    expect(stderr).not.toContain("run started");
  });

  it("has sent the spans of its run when it ends", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO });
    const { names, endpoint } = await listenForSpans();
    const env = { SERVICE_OTEL_ENABLED: "1", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    expect((await workspace.treadle(["up", "hello.tsx", "--json"], { env })).code).toBe(0);
    expect(names.some((name) => name.startsWith("run "))).toBe(true);
    expect(names).toContain("frame");
  });

  it("ends as ever when no collector takes its spans", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO });
    const env = { SERVICE_OTEL_ENABLED: "1", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
    const { code, stdout } = await workspace.treadle(["up", "hello.tsx", "--json"], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "finished" });
  });

  it("says which variable is wrong", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO });
    const env = { SERVICE_LOG_FORMAT: "xml" };
    const { code, stderr, stdout } = await workspace.treadle(["up", "hello.tsx", "--json"], { env });
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("SERVICE_LOG_FORMAT");
  });
});
