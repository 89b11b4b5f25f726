import { expect, it } from "vitest";
import { systemClock } from "../../src/util/clock.js";
import { OneAtATime } from "../../src/util/one-at-a-time.js";

const busy = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

it("pieces of work do not overlap, and keep their order, also behind one that throws", async () => {
  const lane = new OneAtATime(systemClock, 8);
  const log: string[] = [];
  const piece = (name: string) =>
    lane.run(async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      if (name === "b") throw new Error("broken");
      return name;
    });
  const settled = await Promise.allSettled([piece("a"), piece("b"), piece("c")]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(log).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

it("after a long piece comes a rest of its length, which is asked of the clock", async () => {
  const rests: number[] = [];
  const clock = {
    ...systemClock,
    now: () => systemClock.now(),
    setDelay(ms: number, done: () => void) {
      rests.push(ms);
      setImmediate(done);
      return () => {};
    },
  };
  const lane = new OneAtATime(clock, 8);
  await Promise.all([lane.run(async () => busy(60)), lane.run(async () => {}), lane.run(async () => {})]);
  expect(rests).toEqual([expect.any(Number)]);
  expect(rests[0]).toBeGreaterThanOrEqual(60);
});

it("knows when enough waits", async () => {
  const lane = new OneAtATime(systemClock, 2);
  let release: () => void = () => {};
  const first = lane.run(() => new Promise<void>((resolve) => (release = resolve)));
  await new Promise((resolve) => setImmediate(resolve));
  const rest = [lane.run(async () => {}), lane.run(async () => {})];
  expect(lane.isFull).toBe(true);
  release();
  await Promise.all([first, ...rest]);
  expect(lane.isFull).toBe(false);
});
