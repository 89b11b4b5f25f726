import { expect, it } from "vitest";
import { z } from "zod";
import { ServiceDb } from "../../../src/index.js";
import { createSchedule, updateSchedule } from "../../../src/operations/index.js";
import { openScene } from "../../support/engine/scene.js";

const settings = { workflowKey: "report", createdBy: "ada", pattern: "0 9 * * *" };

it.each([
  ["europe/berlin", "Europe/Berlin"],
  ["AMERICA/NEW_YORK", "America/New_York"],
  ["utc", "UTC"],
  ["Asia/Kolkata", "Asia/Kolkata"],
])("the time zone %s is kept as %s", async (given, kept) => {
  const db = new ServiceDb(openScene({ output: z.object({}) }).store);
  expect(await createSchedule(db, { ...settings, cronId: "a", timeZone: given })).toMatchObject({
    timeZone: kept,
  });
  await createSchedule(db, { ...settings, cronId: "b" });
  expect(await updateSchedule(db, { cronId: "b", timeZone: given })).toMatchObject({ timeZone: kept });
});

it("a time zone that is only spelled in another way passes over no time", async () => {
  const db = new ServiceDb(openScene({ output: z.object({}) }).store);
  const { coveredUntilMs } = await createSchedule(
    db,
    { ...settings, cronId: "a", timeZone: "Europe/Berlin" },
    { clock: fixed(1_000) },
  );
  const changed = await updateSchedule(
    db,
    { cronId: "a", timeZone: "EUROPE/berlin" },
    { clock: fixed(2_000) },
  );
  expect(changed.coveredUntilMs).toBe(coveredUntilMs);
});

function fixed(nowMs: number) {
  return { now: () => nowMs, setTimer: () => () => {}, setDelay: () => () => {} };
}
