import { beforeEach, describe, expect, it, vi } from "vitest";
import { type ChangeRequest, onOutsideChange } from "../../src/store/change-feed.js";
import type { QuietStore } from "../support/quiet-store.js";
import { VirtualClock } from "../../src/testing/virtual-clock.js";
import { newRun, step, T0, WAKE } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

let mine: QuietStore;
let other: QuietStore;
let clock: VirtualClock;

beforeEach(() => {
  const path = databasePath();
  mine = openStore(path, {});
  other = openStore(path, {});
  mine.createRun(newRun());
  other.prepare();
  clock = new VirtualClock();
});

/** Lets so much time pass, with every look that falls into it. */
async function pass(ms: number): Promise<void> {
  const endMs = clock.now() + ms;
  for (let next = clock.nextTimer(); next !== undefined && next <= endMs; next = clock.nextTimer()) {
    clock.moveTo(next);
    await settled();
  }
  clock.moveTo(endMs);
}

/** Also a look at a database that answers in a later turn of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function subscribe(store: QuietStore, when: Omit<ChangeRequest, "clock">) {
  const calls: number[] = [];
  const startMs = clock.now();
  const leave = onOutsideChange(store, { clock, ...when }, () => calls.push(clock.now() - startMs));
  return { calls, leave };
}

function write(store: QuietStore): void {
  store.submitIntent({ runId: "run-1", intent: WAKE, createdAtMs: T0 });
}

describe("the change feed of a database", () => {
  it("calls back after another handle has written, and not after its own", async () => {
    const { calls, leave } = subscribe(mine, { everyMs: 100 });
    await pass(100);
    calls.length = 0;
    await pass(300);
    mine.commit(step({ run: { frameNo: 1 } }));
    await pass(100);
    expect(calls).toEqual([]);
    write(other);
    await pass(100);
    expect(calls).toHaveLength(1);
    await pass(1_000);
    expect(calls).toHaveLength(1);
    leave();
  });

  it("calls back for the handle's own writes for subscribers that asked for these, besides what else it is asked for", async () => {
    const own = subscribe(mine, { everyMs: 100, own: true, only: "loss" });
    const plain = subscribe(mine, { everyMs: 100 });
    await pass(100);
    own.calls.length = 0;
    plain.calls.length = 0;
    await pass(300);
    write(other);
    await pass(100);
    expect([own.calls.length, plain.calls.length]).toEqual([0, 1]);
    mine.commit(step({ run: { frameNo: 1 } }));
    await pass(100);
    expect([own.calls.length, plain.calls.length]).toEqual([1, 1]);
    await pass(300);
    expect(own.calls).toHaveLength(1);
    own.leave();
    plain.leave();
  });

  it("looks less often for subscribers that allow it once nothing has changed for a minute, until something does", async () => {
    const { calls, leave } = subscribe(mine, { everyMs: 250, restingMs: 1_000 });
    await pass(250);
    await pass(60_000);
    calls.length = 0;
    write(other);
    await pass(750);
    expect(calls).toEqual([]);
    await pass(250);
    expect(calls).toHaveLength(1);
    write(other);
    await pass(250);
    expect(calls).toHaveLength(2);
    leave();
  });

  it("looks as often as the most impatient subscriber wants, whatever others allow", async () => {
    const resting = subscribe(mine, { everyMs: 250, restingMs: 1_000 });
    await pass(61_000);
    const prompt = subscribe(mine, { everyMs: 250 });
    await pass(250);
    prompt.calls.length = 0;
    write(other);
    await pass(250);
    expect(prompt.calls).toHaveLength(1);
    resting.leave();
    prompt.leave();
  });

  it("misses nothing that was written between the subscription and its first look", async () => {
    const { calls, leave } = subscribe(mine, { everyMs: 100 });
    write(other);
    await pass(100);
    expect(calls).toEqual([100]);
    leave();
  });

  it("does not hide what came since its last look from one who joins later", async () => {
    const first = subscribe(mine, { everyMs: 100 });
    await pass(250);
    write(other);
    const late = subscribe(mine, { everyMs: 100 });
    await pass(50);
    expect(late.calls).toEqual([50]);
    first.leave();
    late.leave();
  });

  it("asks the database as often for a hundred subscribers as for one", async () => {
    const asked = vi.spyOn(mine, "changeToken");
    const subscribers = Array.from({ length: 100 }, () => subscribe(mine, { everyMs: 100 }));
    await pass(1_000);
    expect(asked).toHaveBeenCalledTimes(10);
    for (const { calls } of subscribers) expect(calls).toEqual([100]);
    for (const { leave } of subscribers) leave();
  });

  it("has one timer for all handles of a file", async () => {
    const armed = vi.spyOn(clock, "setDelay");
    const subscribers = [mine, other].flatMap((store) => [
      subscribe(store, { everyMs: 100 }),
      subscribe(store, { everyMs: 100 }),
    ]);
    await pass(1_000);
    // The first, and one after each look.
    expect(armed).toHaveBeenCalledTimes(11);
    for (const { leave } of subscribers) leave();
  });

  it("looks at the pace of its most impatient subscriber, as long as it is there", async () => {
    const asked = vi.spyOn(mine, "changeToken");
    const slow = subscribe(mine, { everyMs: 1_000 });
    const quick = subscribe(mine, { everyMs: 100 });
    await pass(1_000);
    expect(asked).toHaveBeenCalledTimes(10);
    quick.leave();
    // The look that was due already, and then the slow ones.
    await pass(2_100);
    expect(asked).toHaveBeenCalledTimes(13);
    slow.leave();
  });

  it("calls back without a change for subscribers that asked for it, and others not", async () => {
    const patient = subscribe(mine, { everyMs: 100, quietMs: 300 });
    const plain = subscribe(mine, { everyMs: 100 });
    await pass(1_000);
    expect(patient.calls).toEqual([100, 400, 700, 1_000]);
    expect(plain.calls).toEqual([100]);
    patient.leave();
    plain.leave();
  });

  it("leaves no timer behind once the last subscriber has left, also while it looks", async () => {
    const { leave } = subscribe(mine, { everyMs: 100 });
    clock.moveTo(clock.now() + 100);
    leave();
    await settled();
    expect(clock.nextTimer()).toBeUndefined();
    const again = subscribe(mine, { everyMs: 100 });
    again.leave();
    again.leave();
    expect(clock.nextTimer()).toBeUndefined();
  });

  it("lets a subscriber leave or join while it is called back", async () => {
    const heard: string[] = [];
    const leaves: (() => void)[] = [];
    leaves.push(
      onOutsideChange(mine, { clock, everyMs: 100 }, () => {
        heard.push("first");
        for (const leave of leaves.splice(0)) leave();
        leaves.push(onOutsideChange(mine, { clock, everyMs: 50 }, () => heard.push("third")));
      }),
      onOutsideChange(mine, { clock, everyMs: 100 }, () => heard.push("second")),
    );
    await pass(150);
    expect(heard).toEqual(["first", "third"]);
    for (const leave of leaves) leave();
    expect(clock.nextTimer()).toBeUndefined();
  });

  it("takes a database that cannot be asked for one that has changed, at each look", async () => {
    vi.spyOn(mine, "changeToken").mockImplementation(() => {
      throw new Error("disk I/O error");
    });
    const { calls, leave } = subscribe(mine, { everyMs: 100 });
    await pass(300);
    expect(calls).toEqual([100, 200, 300]);
    leave();
  });

  it("tells one who only asks for its loss of nothing else", async () => {
    const { calls, leave } = subscribe(mine, { everyMs: 100, only: "loss" });
    write(other);
    await pass(200);
    expect(calls).toEqual([]);
    vi.spyOn(mine, "changeToken").mockImplementation(() => {
      throw new Error("disk I/O error");
    });
    await pass(100);
    expect(calls).toEqual([300]);
    leave();
  });

  it("looks no more while a look is not answered", async () => {
    let answer: (token: number) => void = () => {};
    const slow = () => new Promise<number>((resolve) => (answer = resolve));
    const asked = vi.spyOn(mine, "changeToken").mockImplementation(slow as never);
    const { calls, leave } = subscribe(mine, { everyMs: 100 });
    await pass(1_000);
    expect(asked).toHaveBeenCalledTimes(1);
    answer(1);
    await settled();
    expect(calls).toEqual([1_000]);
    leave();
    expect(clock.nextTimer()).toBeUndefined();
  });
});
