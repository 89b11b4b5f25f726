import { expect, it } from "vitest";
import { Workspace } from "../../cli/support/treadle.js";
import { startCollector } from "../../observability/support/collector.js";
import { ServerProcess } from "../support/server-process.js";
import { ASKS } from "../support/workflows.js";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** Runs one workflow on a server with that environment, and says what the server has said. */
async function serveOneRun(env: Record<string, string>): Promise<string> {
  const workspace = new Workspace({ "asks.tsx": ASKS });
  const server = await ServerProcess.start(workspace, { rootDir: workspace.folder, env });
  await server.call("/v1/runs", {
    body: { workflowPath: "asks.tsx", runId: "one", input: { n: 1 } },
    headers: { traceparent: TRACEPARENT },
  });
  await expect.poll(async () => (await server.call("/v1/runs/one")).body.status).toBe("finished");
  const ended = new Promise((resolve) => server.process.once("close", resolve));
  server.process.kill("SIGTERM");
  await ended;
  return server.stderr;
}

it("a server logs the events of its runs by default", async () => {
  const said = await serveOneRun({});
  expect(said).toMatch(/^timestamp=\S+ level=INFO message="run started" runId=one workflowName=asks$/m);
  expect(said).toMatch(/^timestamp=\S+ level=INFO message="run finished" runId=one$/m);
  expect(await serveOneRun({ SERVICE_LOG_LEVEL: "none" })).toBe("");
});

it("a server that closes has sent its spans, which continue the trace of the request", async () => {
  const { endpoint, span } = await startCollector();
  await serveOneRun({ SERVICE_OTEL_ENABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  const run = span("run asks");
  expect(run).toMatchObject({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    parentSpanId: "b7ad6b7169203331",
    resource: { "service.name": "service" },
  });
});
