import { expect, it } from "vitest";
import { Admission } from "../../../src/operations/supervise/admission.js";

const SOUND = { deaths: 0, ownerId: null, heartbeatAtMs: null };
const ONCE = { deaths: 0, ownerId: "gone", heartbeatAtMs: 0 };
const TWICE = { deaths: 1, ownerId: "gone", heartbeatAtMs: 0 };
const THRICE = { ...TWICE, deaths: 2 };

const SECOND = 1_000;

it("runs that have lost at most one process begin beside each other", () => {
  const admission = new Admission(() => false);
  expect(admission.enter(SOUND, 0)).toBeDefined();
  expect(admission.enter(ONCE, 0)).toBeDefined();
});

it("a run that has lost two processes begins when nothing is at work, and for 30 seconds nothing begins beside it", () => {
  const admission = new Admission(() => false);
  const leave = admission.enter(TWICE, 0);
  expect(leave).toBeDefined();
  expect(admission.enter(SOUND, 29 * SECOND)).toBeUndefined();
  expect(admission.enter(TWICE, 29 * SECOND)).toBeUndefined();
  expect(admission.isOpen(30 * SECOND)).toBe(true);
  expect(admission.enter(TWICE, 30 * SECOND), "not even later beside the first").toBeUndefined();
  leave?.();
  expect(admission.enter(SOUND, 0), "once it has ended").toBeDefined();
});

it("each further death doubles the time for which a run is alone", () => {
  const admission = new Admission(() => false);
  admission.enter(THRICE, 0);
  expect(admission.isOpen(59 * SECOND)).toBe(false);
  expect(admission.isOpen(60 * SECOND)).toBe(true);
});

it("while it waits for others to come to rest, nothing new begins; for 30 seconds, and not again for another 30", () => {
  const admission = new Admission(() => false);
  const leave = admission.enter(SOUND, 0);
  expect(admission.enter(TWICE, 0)).toBeUndefined();
  expect(admission.enter(SOUND, 29 * SECOND)).toBeUndefined();
  expect(admission.enter(TWICE, 30 * SECOND)).toBeUndefined();
  const other = admission.enter(SOUND, 31 * SECOND);
  expect(other).toBeDefined();
  expect(admission.enter(TWICE, 60 * SECOND)).toBeUndefined();
  expect(admission.enter(SOUND, 60 * SECOND)).toBeUndefined();
  leave?.();
  other?.();
  expect(admission.enter(TWICE, 61 * SECOND)).toBeDefined();
});
