import { expect } from "vitest";
import { attemptKey, type Evidence, eventsOf } from "./evidence.js";

/**
 * What must hold of every run that has finished, however often its processes
 * died. Each task of these runs writes a row and none of them fails.
 */
export function checkHistory(evidence: Evidence): void {
  checkLog(evidence);
  checkAttempts(evidence);
  checkTrail(evidence);
}

/** The log has no gaps, ends with the end, and starts every attempt once before it finishes it. */
function checkLog(evidence: Evidence): void {
  const { events, run } = evidence;
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(run.nextSeq).toBe(events.length);
  expect(run.startedAtMs, "the run knows when it was started").not.toBeNull();
  expect(eventsOf(evidence, "RunFinished")).toHaveLength(1);
  expect(events.at(-1)?.event.type).toBe("RunFinished");
  expect(eventsOf(evidence, "FrameCommitted").map(({ frameNo }) => frameNo)).toEqual(
    Array.from({ length: run.frameNo }, (_, index) => index + 1),
  );

  const started = new Set<string>();
  const ended = new Set<string>();
  for (const { event } of events) {
    if (event.type === "NodeStarted") {
      expect(started, "an attempt starts once").not.toContain(attemptKey(event));
      started.add(attemptKey(event));
    } else if (event.type === "NodeFinished" || event.type === "NodeInterrupted") {
      expect(started, `${event.type} without a start`).toContain(attemptKey(event));
      expect(ended, "an attempt ends once").not.toContain(attemptKey(event));
      ended.add(attemptKey(event));
    }
  }
  expect(ended).toEqual(started);
}

/** Of each node the last attempt finished and every earlier one was interrupted; rows and log agree. */
function checkAttempts(evidence: Evidence): void {
  const { attempts, nodes, outputs } = evidence;
  const finished = eventsOf(evidence, "NodeFinished");
  const interrupted = eventsOf(evidence, "NodeInterrupted");
  const keysOf = (state: string) => attempts.filter((row) => row.state === state).map(attemptKey);
  expect(keysOf("finished").sort()).toEqual(finished.map(attemptKey).sort());
  expect(keysOf("interrupted").sort()).toEqual(interrupted.map(attemptKey).sort());
  expect(attempts).toHaveLength(finished.length + interrupted.length);
  for (const node of nodes) {
    const own = attempts.filter((row) => row.nodeId === node.nodeId && row.iteration === node.iteration);
    expect(own.map(({ attempt }) => attempt)).toEqual(own.map((_, index) => index + 1));
    expect(node).toMatchObject({ state: "finished", lastAttempt: own.length });
    expect(own.at(-1)?.state).toBe("finished");
  }
  const addresses = finished.map(({ nodeId, iteration }) => `${nodeId}::${iteration}`);
  expect(nodes.map(({ nodeId, iteration }) => `${nodeId}::${iteration}`).sort()).toEqual(addresses.sort());
  expect(
    Object.keys(outputs)
      .map((key) => key.slice(key.indexOf("/") + 1))
      .sort(),
  ).toEqual(addresses);
}

/** What really ran: every attempt at most once, each finished one for sure, and nothing after its acknowledgement. */
function checkTrail(evidence: Evidence): void {
  const { trail } = evidence;
  const ran = trail.filter(({ what }) => what === "ran").map(attemptKey);
  expect(new Set(ran).size, "an attempt's function runs at most once").toBe(ran.length);
  expect(ran).toEqual(expect.arrayContaining(eventsOf(evidence, "NodeFinished").map(attemptKey)));
  expect(evidence.attempts.map(attemptKey)).toEqual(expect.arrayContaining(ran));
  const acknowledged = new Set<string>();
  for (const line of trail) {
    const address = `${line.nodeId}::${line.iteration}`;
    if (line.what === "acknowledged") acknowledged.add(address);
    else expect(acknowledged, "a finished task runs again").not.toContain(address);
  }
}
