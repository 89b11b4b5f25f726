import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { GatewayClient, SequencedEvent } from "../../src/client/index.js";
import { EventLog } from "../../src/react/event-log.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A gateway's log of one run, of which a client reads as far as it goes: the run has ended. */
function endedRun(log: SequencedEvent[]): GatewayClient {
  const after = (seq: number) => log.filter((event) => event.seq > seq);
  return {
    async *runEvents(_runId: string, { afterSeq = -1 } = {}) {
      yield* after(afterSeq);
    },
    listEvents: async ({ afterSeq = -1, limit = 500 }) => ({ events: after(afterSeq).slice(0, limit) }),
  } as Partial<GatewayClient> as GatewayClient;
}

const eventAt = (seq: number) => ({ seq, event: { type: "NodePending" } }) as unknown as SequencedEvent;

it("a run that is continued after its end is followed on, and is over when it ends again", async () => {
  const log = [eventAt(0), eventAt(1)];
  const events = new EventLog(endedRun(log), { runId: "r", afterSeq: -1, limit: 100 }, () => {});
  const shown: string[] = [];
  const leave = events.subscribe(() => {
    const { events: all, isOver } = events.state();
    shown.push(`${all.length}${isOver ? " over" : ""}`);
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toEqual(["2 over"]);
  log.push(eventAt(2));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toEqual(["2 over", "3 over"]);
  leave();
  expect(vi.getTimerCount()).toBe(0);
});

it("a change that the gateway tells of is looked at without waiting, once for many", async () => {
  const log = [eventAt(0)];
  const events = new EventLog(endedRun(log), { runId: "r", afterSeq: -1, limit: 100 }, () => {});
  const leave = events.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(1_000);
  log.push(eventAt(1));
  expect(events.isAbout({ kind: "runs", ids: ["other"] })).toBe(false);
  expect(events.isAbout({ kind: "runs", ids: ["r"] })).toBe(true);
  events.nudge();
  events.nudge();
  await vi.advanceTimersByTimeAsync(100);
  expect(events.state()).toMatchObject({ isOver: true, events: [{ seq: 0 }, { seq: 1 }] });
  leave();
  expect(vi.getTimerCount()).toBe(0);
});

it("an ended run without a component is asked for again once one shows it", async () => {
  const log = [eventAt(0)];
  const events = new EventLog(endedRun(log), { runId: "r", afterSeq: -1, limit: 100 }, () => {});
  events.subscribe(() => {})();
  const first = events.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(1_000);
  first();
  log.push(eventAt(1));
  const leave = events.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(1_000);
  expect(events.state()).toMatchObject({ isOver: true, events: [{ seq: 0 }, { seq: 1 }] });
  leave();
});
