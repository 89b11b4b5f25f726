import { describe, expect, it } from "vitest";
import { Deadlines } from "../../../src/agents/process/deadlines.js";
import { LineTail } from "../../../src/agents/process/line-tail.js";
import { TextBatch } from "../../../src/agents/process/text-batch.js";
import type { Clock } from "../../../src/util/clock.js";

/** A clock that stands still until the test continues it. */
function manualClock(): Clock & { advance(ms: number): void; pending(): number } {
  let now = 1_000;
  const timers = new Set<{ atMs: number; fire(): void }>();
  const setTimer: Clock["setTimer"] = (atMs, fire) => {
    const timer = { atMs, fire };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => now,
    setTimer,
    setDelay: (ms, fire) => setTimer(now + ms, fire),
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const due = [...timers].filter(({ atMs }) => atMs <= until).sort((a, b) => a.atMs - b.atMs)[0];
        if (due === undefined) break;
        timers.delete(due);
        now = Math.max(now, due.atMs);
        due.fire();
      }
      now = until;
    },
    pending: () => timers.size,
  };
}

function deadlines(limits: { timeoutMs?: number; idleTimeoutMs?: number }) {
  const clock = manualClock();
  const expired: string[] = [];
  const subject = new Deadlines({ clock, ...limits, onExpired: (kind) => expired.push(kind) });
  return { clock, expired, subject };
}

describe("deadlines", () => {
  it("expire once their time has come", () => {
    const { clock, expired } = deadlines({ timeoutMs: 100 });
    clock.advance(99);
    expect(expired).toEqual([]);
    clock.advance(1);
    expect(expired).toEqual(["timeout"]);
  });

  it("of silence start anew with each sign of life", () => {
    const { clock, expired, subject } = deadlines({ idleTimeoutMs: 100 });
    for (let round = 0; round < 5; round += 1) {
      clock.advance(90);
      subject.signOfLife();
    }
    expect(expired).toEqual([]);
    clock.advance(99);
    expect(expired).toEqual([]);
    clock.advance(1);
    expect(expired).toEqual(["idle"]);
  });

  it("do not wait for more than there is to wait for", () => {
    const { clock, subject } = deadlines({ timeoutMs: 100, idleTimeoutMs: 50 });
    for (let sign = 0; sign < 1_000; sign += 1) subject.signOfLife();
    expect(clock.pending()).toBe(2);
    subject.stop();
    expect(clock.pending()).toBe(0);
  });

  it("never expire when there are none", () => {
    const { clock, expired } = deadlines({});
    clock.advance(1_000_000_000);
    expect(expired).toEqual([]);
  });
});

describe("a batch of text", () => {
  it("leaves together when it has waited long enough", () => {
    const clock = manualClock();
    const pieces: string[] = [];
    const batch = new TextBatch((text) => pieces.push(text), clock);
    for (let line = 0; line < 100; line += 1) batch.add(`${line}\n`);
    expect(pieces).toEqual([]);
    clock.advance(1_000);
    expect(pieces).toHaveLength(1);
    expect(pieces[0]?.split("\n")).toHaveLength(101);
  });

  it("leaves at once when it is large", () => {
    const pieces: string[] = [];
    new TextBatch((text) => pieces.push(text), manualClock()).add("x".repeat(100_000));
    expect(pieces).toHaveLength(1);
  });

  it("leaves at the end, and then only once", () => {
    const clock = manualClock();
    const pieces: string[] = [];
    const batch = new TextBatch((text) => pieces.push(text), clock);
    batch.add("last words");
    batch.flush();
    batch.flush();
    clock.advance(1_000);
    expect(pieces).toEqual(["last words"]);
    expect(clock.pending()).toBe(0);
  });
});

describe("the tail of a stream", () => {
  it("is its last lines, blank ones aside", () => {
    const tail = new LineTail({ maxLines: 2, maxLineLength: 100 });
    for (const line of ["one", "", "two", "  ", "three"]) tail.add(line);
    expect(tail.text()).toBe("two\nthree");
  });

  it("has no giant lines", () => {
    const tail = new LineTail({ maxLines: 2, maxLineLength: 5 });
    tail.add("0123456789");
    expect(tail.lines()).toEqual(["01234…"]);
  });
});
