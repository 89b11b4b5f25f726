import { taskKey } from "../../../src/model/address.js";
import { expect } from "vitest";
import type { AttemptRow, RunEvent, SampledScore } from "../../../src/index.js";
import { isSampled } from "../../../src/scorers/sampling.js";
import { attemptKey, type Evidence, eventsOf } from "./evidence.js";

/**
 * What must hold of every run that has ended, however often its processes died.
 * In these runs nothing is tried again after a failure.
 */
export function checkHistory(evidence: Evidence): void {
  checkLog(evidence);
  checkAttempts(evidence);
  checkTrail(evidence);
  checkScores(evidence);
}

/** The log has no gaps, ends with the end, and starts every attempt once before it ends it. */
function checkLog(evidence: Evidence): void {
  const { events, run } = evidence;
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(run.nextSeq).toBe(events.length);
  expect(run.startedAtMs, "the run knows when it was started").not.toBeNull();
  expect(run.ownerId, "nobody holds a run that has ended").toBeNull();
  const ends = events.filter(({ event }) => /^Run(Finished|ContinuedAsNew|Failed)$/.test(event.type));
  expect(ends.map(({ seq }) => seq)).toEqual([events.length - 1]);
  expect(eventsOf(evidence, "FrameCommitted").map(({ frameNo }) => frameNo)).toEqual(
    Array.from({ length: run.frameNo }, (_, index) => index + 1),
  );

  const started = new Set<string>();
  const ended = new Set<string>();
  for (const { event } of events) {
    if (event.type === "NodeStarted") {
      expect(started, "an attempt starts once").not.toContain(attemptKey(event));
      started.add(attemptKey(event));
    } else if (Object.hasOwn(STATE_OF, event.type)) {
      const key = attemptKey(event as RunEvent & { type: "NodeFinished" });
      expect(started, `${event.type} without a start`).toContain(key);
      expect(ended, "an attempt ends once").not.toContain(key);
      ended.add(key);
    }
  }
  expect(ended).toEqual(started);
}

/** How an event that ends an attempt leaves the attempt. */
const STATE_OF = {
  NodeFinished: "finished",
  NodeInterrupted: "interrupted",
  NodeFailed: "failed",
} as const satisfies Partial<Record<RunEvent["type"], AttemptRow["state"]>>;

/** Of each node only the last attempt was not interrupted; rows and log agree. */
function checkAttempts(evidence: Evidence): void {
  const { attempts, nodes, outputs, run } = evidence;
  for (const [type, state] of Object.entries(STATE_OF)) {
    const rows = attempts.filter((row) => row.state === state).map(attemptKey);
    expect(rows.sort()).toEqual(
      eventsOf(evidence, type as keyof typeof STATE_OF)
        .map(attemptKey)
        .sort(),
    );
  }
  expect(attempts.filter(({ state }) => state === "in-progress" || state === "cancelled")).toEqual([]);
  for (const node of nodes) {
    const own = attempts.filter((row) => row.nodeId === node.nodeId && row.iteration === node.iteration);
    // It came along from the run before, where its attempts are.
    const hasFailedBefore = run.parentRunId !== null && node.state === "failed" && own.length === 0;
    if ((node.finishedSeq ?? 0) < 0 || hasFailedBefore) continue;
    expect(own.map(({ attempt }) => attempt)).toEqual(own.map((_, index) => index + 1));
    expect(node.lastAttempt).toBe(own.length);
    expect(new Set(own.slice(0, -1).map(({ state }) => state))).toEqual(
      new Set(own.length > 1 ? ["interrupted"] : []),
    );
    if (own.length > 0) expect(own.at(-1)?.state).toBe(node.state);
    else expect(["skipped", "pending"]).toContain(node.state);
  }
  const written = nodes.filter(({ state, outputKey }) => state === "finished" && outputKey !== "");
  expect(Object.keys(outputs).sort()).toEqual(
    written.map(({ outputKey, nodeId, iteration }) => `${outputKey}/${nodeId}::${iteration}`).sort(),
  );
}

/** What really ran: every attempt at most once, each finished one for sure, and nothing after its acknowledgement. */
function checkTrail(evidence: Evidence): void {
  const { trail } = evidence;
  const ran = trail.filter(({ what }) => what === "ran").map(attemptKey);
  expect(new Set(ran).size, "an attempt's function runs at most once").toBe(ran.length);
  const leaving = new Set(trail.filter(({ what }) => what === "ran").map(({ nodeId }) => nodeId));
  const finished = eventsOf(evidence, "NodeFinished").filter(({ nodeId }) => leaving.has(nodeId));
  expect(ran).toEqual(expect.arrayContaining(finished.map(attemptKey)));
  expect(evidence.attempts.map(attemptKey)).toEqual(expect.arrayContaining(ran));
  const acknowledged = new Set<string>();
  for (const line of trail) {
    const address = taskKey(line);
    if (line.what === "acknowledged") acknowledged.add(address);
    else expect(acknowledged, "a finished task runs again").not.toContain(address);
  }
}

/** What was sampled has ended once, also when its scorer had to be asked again; the last attempt is what was scored. */
function checkScores(evidence: Evidence): void {
  const { scores, attempts } = evidence;
  const ended = (type: "ScorerFinished" | "ScorerFailed") =>
    eventsOf(evidence, type).map((event) => `${event.scorerId} ${attemptKey(event)}`);
  const rows = (state: SampledScore["state"]) =>
    scores.filter((row) => row.state === state).map((row) => `${row.scorerId} ${attemptKey(row)}`);
  expect(ended("ScorerFinished").sort()).toEqual(rows("scored").sort());
  expect(ended("ScorerFailed").sort()).toEqual(rows("failed").sort());
  expect(rows("pending")).toEqual([]);
  const finished = attempts.filter(({ state }) => state === "finished").map(attemptKey);
  expect(finished).toEqual(expect.arrayContaining(scores.map(attemptKey)));
  for (const row of scores.filter(({ scorerId }) => scorerId === "slow")) {
    expect(isSampled({ sampling: { type: "ratio", rate: 0.5 } }, row)).toBe(true);
  }
}
