import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { serviceMetrics } from "../../src/index.js";
import type { EventBody } from "../../src/model/events.js";
import { eventRecorders } from "../../src/observability/event-recorders.js";
import { runRecorder } from "../../src/observability/run-recorder.js";
import { watchMetrics } from "./support/changes.js";

const page = readFileSync(fileURLToPath(new URL("../../docs/metrics.md", import.meta.url)), "utf8");

/** Cells of the rows whose first cell is one name in code. */
const rows = [...page.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, name = "", rest = ""]) => ({
  name,
  cells: rest.split("|").map((cell) => cell.trim()),
}));
const metricRows = rows.filter(({ name }) => name.startsWith("service_"));
const eventRows = rows.filter(({ name }) => !name.startsWith("service_"));

describe("the page about metrics", () => {
  it("has each metric once, with its kind and what it says about itself", () => {
    const stated = metricRows.map(({ name, cells }) => `${name} ${cells[0]}: ${cells[2]}.`);
    const actual = Object.values(serviceMetrics).map(({ name, type, help }) => `${name} ${type}: ${help}`);
    expect(stated.sort()).toEqual(actual.sort());
  });

  it("has the label names of each metric", () => {
    const stated = metricRows.map(({ name, cells }) => `${name} ${cells[1]?.replaceAll("`", "")}`);
    const actual = Object.values(serviceMetrics).map(
      ({ name, labelNames }) => `${name} ${[...labelNames].sort().join(", ")}`,
    );
    expect(stated.sort()).toEqual(actual.sort());
  });

  it("has each event that changes metrics once", () => {
    expect(eventRows.map(({ name }) => name).sort()).toEqual(Object.keys(eventRecorders).sort());
  });
});

/** What an event changes shows only after what it ends has begun. */
const BEGINNINGS = [
  { type: "RunStarted", workflowName: "w", resumed: false, ownerId: "o" },
  { type: "NodeStarted", nodeId: "running", iteration: 0, attempt: 1 },
  {
    type: "ApprovalRequested",
    nodeId: "asking",
    iteration: 0,
    title: "?",
    requestHash: "",
    request: { title: "?" },
  },
  { type: "NodeWaitingEvent", nodeId: "listening", iteration: 0, event: "e" },
  {
    type: "TimerCreated",
    nodeId: "sleeping",
    iteration: 0,
    timerId: "sleeping",
    firesAtMs: 5,
    timerType: "duration",
  },
] satisfies EventBody[];

/** A run takes everything with it when it ends; so that its own changes show, it has nothing open. */
function beginningsOf(type: string): readonly EventBody[] {
  if (type === "RunStarted") return [];
  return type.startsWith("Run") ? BEGINNINGS.slice(0, 1) : BEGINNINGS;
}

/** The node that events of a type are about; a wait or an attempt of it is open. */
function nodeOf(type: string): string {
  if (/^(?:RunStarted|NodeStarted|ApprovalRequested|TimerCreated|NodeWaitingEvent)$/.test(type)) return "new";
  if (type.startsWith("Approval")) return "asking";
  if (type.startsWith("EventWait")) return "listening";
  return type.startsWith("Timer") ? "sleeping" : "running";
}

const address = (type: string) => ({ nodeId: nodeOf(type), iteration: 0, attempt: 1 });
const error = { name: "Error", message: "no" };

/** An event of each type in the table, without what the commit adds. */
const FIELDS: Record<string, object> = {
  RunStarted: { workflowName: "w", resumed: false, ownerId: "o" },
  RunStatusChanged: { status: "waiting-timer" },
  TokenUsageReported: { agent: "a", model: "m", inputTokens: 1, outputTokens: 2, cacheReadTokens: 3 },
  TimerFired: { timerId: "sleeping", firesAtMs: 5, firedAtMs: 6, delayMs: 1 },
  TimerCreated: { timerId: "new", firesAtMs: 9, timerType: "duration" },
  SandboxCreated: { sandboxId: "s", runtime: "docker", configJson: "{}" },
  SandboxShipped: { sandboxId: "s", runtime: "docker", bundleSizeBytes: 10, durationMs: 5 },
  SandboxBundleReceived: {
    sandboxId: "s",
    bundleSizeBytes: 10,
    durationMs: 5,
    patchCount: 2,
    hasOutputs: true,
  },
  SandboxCompleted: { sandboxId: "s", runtime: "docker", status: "finished", durationMs: 5 },
  SandboxFailed: { sandboxId: "s", runtime: "docker", error },
  NodeFailed: { error },
  RunFailed: { error },
  WorkflowReloaded: { durationMs: 5 },
};

/** Fields that a type does not have do no harm. */
const eventOf = (type: string) => ({ type, ...address(type), ...FIELDS[type] }) as EventBody;

describe.each(eventRows)("$name", ({ name: type, cells }) => {
  const runId = `run of ${type}`;
  let changed: string[];

  beforeAll(() => {
    for (const event of beginningsOf(type)) runRecorder.onEvent(event, runId, 0);
    const changes = watchMetrics();
    runRecorder.onEvent(eventOf(type), runId, 10);
    // Whether a failure was the last one shows with what follows.
    if (type === "NodeFailed") {
      const ofAnother = {
        type: "NodeInterrupted",
        nodeId: "new",
        iteration: 0,
        attempt: 1,
        reason: "",
      } as const;
      runRecorder.onEvent(ofAnother, runId, 10);
    }
    const moved = changes.names();
    changed = Object.values(serviceMetrics)
      .filter(({ name }) => !name.startsWith("service_process_") && name !== "service_events_emitted_total")
      .filter(({ name, type: kind }) => moved.has(kind === "histogram" ? `${name}_count` : name))
      .map(({ name }) => name);
  });

  it("changes what the page says", () => {
    const [adds = "", gauges = ""] = cells;
    const stated = [...`${adds} ${gauges}`.matchAll(/`(service_\w+)`/g)].map(([, name = ""]) => name);
    expect(changed.filter((name) => !stated.some((known) => name.startsWith(known)))).toEqual([]);
    const reached = (known: string) => changed.some((name) => name.startsWith(known));
    expect(stated.filter((known) => !reached(known) && known !== "service_runs_resumed_total")).toEqual([]);
  });
});
