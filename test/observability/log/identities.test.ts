import { expect, it } from "vitest";
import { Logger } from "../../../src/observability/log/logger.js";
import { traceRequest } from "../../../src/observability/trace/otlp-json.js";
import { createRedactor } from "../../../src/util/redactor.js";

const fields = {
  runId: "key-release-2026-11-22",
  nodeId: "rotate-key-material-0",
  workflowName: "sk-deploys",
};

it("which run, task and workflow a record is of is logged as it is, whatever else it looks like", () => {
  const lines: string[] = [];
  const logger = new Logger({ format: "json", level: "Info", write: (line) => lines.push(line) });
  logger.log("Info", "used sk-live-1234567890", fields);
  expect(JSON.parse(lines[0] as string)).toMatchObject({ ...fields, message: "used [redacted]" });
});

it("so do spans", () => {
  const { text, diagnostic } = createRedactor([]);
  const attributes = new Map([
    ["treadle.run.id", fields.runId],
    ["treadle.node.id", fields.nodeId],
    ["url.full", "https://example.com/?k=sk-live-1234567890"],
  ]);
  const context = { traceId: "0".repeat(32), spanId: "0".repeat(16), isSampled: true };
  const span = {
    context,
    name: "task rotate-key-material",
    kind: "internal",
    startMs: 0,
    attributes,
    events: [],
    links: [],
  };
  const json = JSON.stringify(
    traceRequest([span] as never, {
      resource: new Map(),
      version: "0",
      clean: { text: diagnostic, name: text },
    }),
  );
  expect(json).toContain(fields.runId);
  expect(json).toContain(fields.nodeId);
  expect(json).toContain("task rotate-key-material");
  expect(json).not.toContain("sk-live");
});
