import { expect, it } from "vitest";
import { ServiceError } from "../../../src/errors/service-error.js";
import type { OverlapPolicy } from "../../../src/model/schedule.js";
import { updateSchedule } from "../../../src/operations/schedules/change-schedules.js";
import { requestScheduledRun } from "../../../src/operations/schedules/request-run.js";
import { newRun } from "../../conformance/store/fixtures.js";
import { databasePath } from "../../store/support/database.js";
import { openScheduleScene } from "./support/schedule-scene.js";

const DAY = "2026-05-04T";
const auth = { triggeredBy: "ada", role: "operator", scopes: ["*"] };

it("starts a run at each time, and says when it is due next", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add();
  expect(await scene.look()).toBe(`${DAY}09:00:00.000Z`);
  expect(await scene.look(`${DAY}08:59:59Z`)).toBe(`${DAY}09:00:00.000Z`);
  expect(scene.started).toEqual([]);
  expect(await scene.look(`${DAY}09:00:00Z`)).toBe(`${DAY}10:00:00.000Z`);
  expect(scene.started).toEqual([`cron:c:${DAY}09:00:00.000Z`]);
  await scene.look(`${DAY}09:20:00Z`);
  expect(scene.started).toHaveLength(1);
});

it("starts nothing for a schedule that is switched off or whose workflow is elsewhere", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add({ enabled: false });
  expect(await scene.look(`${DAY}09:00:00Z`)).toBeNull();
  await scene.add({ cronId: "d" });
  expect(await scene.look(`${DAY}10:00:00Z`, { knows: () => false })).toBeNull();
  expect(scene.history()).toEqual([]);
});

it("two hosts on one database start one run for each time", async () => {
  const path = databasePath();
  const [first, second] = [
    openScheduleScene(`${DAY}08:30:00Z`, path),
    openScheduleScene(`${DAY}08:30:00Z`, path),
  ];
  await first.add({ overlap: "allow" });
  for (const hour of ["09", "10", "11"]) {
    await Promise.all([first.look(`${DAY}${hour}:00:00Z`), second.look(`${DAY}${hour}:00:00Z`)]);
  }
  expect([...first.started, ...second.started].sort()).toEqual(
    ["09", "10", "11"].map((hour) => `cron:c:${DAY}${hour}:00:00.000Z`),
  );
});

it("an occurrence whose process died before the start is started by the next process that looks, once", async () => {
  const path = databasePath();
  const dies = openScheduleScene(`${DAY}08:30:00Z`, path);
  await dies.add();
  const death = new Promise<never>(() => {});
  void dies.look(`${DAY}09:00:00Z`, { start: () => death });
  await expect.poll(() => dies.history()).toEqual(["05-04T09:00 pending"]);
  const next = openScheduleScene(`${DAY}11:30:00Z`, path);
  await next.look();
  expect(next.started).toEqual([`cron:c:${DAY}09:00:00.000Z`]);
  await next.look();
  expect(next.started).toHaveLength(1);
});

it("an occurrence whose process died after the start finds its run, and starts no other", async () => {
  const path = databasePath();
  const dies = openScheduleScene(`${DAY}08:30:00Z`, path);
  await dies.add();
  void dies.look(`${DAY}09:00:00Z`, {
    start: ({ runId }) => {
      dies.store.createRun(newRun({ runId }));
      return new Promise(() => {});
    },
  });
  await expect.poll(() => dies.store.findRunIds("cron", 5)).toHaveLength(1);
  const next = openScheduleScene(`${DAY}09:01:00Z`, path);
  await next.look();
  expect(next.started).toEqual([]);
  expect(next.history()).toEqual(["05-04T09:00 fired"]);
});

it("what was due while no process was there is skipped, and counted", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add();
  expect(await scene.look(`${DAY}12:30:00Z`)).toBe(`${DAY}13:00:00.000Z`);
  expect(scene.history()).toEqual(["05-04T12:00 skipped-missed"]);
  expect(scene.store.schedules.occurrences({ limit: 1 })[0]?.reason).toContain("4 times were missed");
  expect(scene.started).toEqual([]);
});

it("with catch-up the newest of them is fired, whether the machine slept or no process was there", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add({ catchUp: "latest" });
  await scene.look(`${DAY}12:30:00Z`);
  expect(scene.history()).toEqual(["05-04T11:00 skipped-missed", "05-04T12:00 fired"]);
  expect(scene.started).toEqual([`cron:c:${DAY}12:00:00.000Z`]);
});

it.each<[OverlapPolicy, string[], string[]]>([
  ["skip", ["skipped-missed", "fired"], ["03"]],
  ["queue", ["skipped-missed", "fired"], ["03"]],
  ["allow", ["fired", "fired", "fired"], ["01", "02", "03"]],
])(
  "with %s, times that a busy process is late for by less than a minute are %j",
  async (overlap, states, fired) => {
    const scene = openScheduleScene(`${DAY}09:00:00Z`);
    await scene.add({ pattern: "* * * * * *", overlap });
    await scene.look(`${DAY}09:00:03.5Z`);
    expect(scene.history().map((row) => row.split(" ")[1])).toEqual(states);
    expect(scene.started).toEqual(fired.map((second) => `cron:c:${DAY}09:00:${second}.000Z`));
    const reasons = scene.store.schedules.occurrences({ limit: 9 }).flatMap(({ reason }) => reason ?? []);
    expect(reasons).toEqual(
      overlap === "allow" ? [] : [expect.stringMatching(/^2 times were passed over for the newest: .*busy/)],
    );
  },
);

it("of times that are late, only those of the last minute are fired, and the others are missed", async () => {
  const scene = openScheduleScene(`${DAY}09:00:00Z`);
  await scene.add({ pattern: "*/20 * * * * *", overlap: "allow" });
  await scene.look(`${DAY}09:03:10Z`);
  expect(scene.started).toEqual(["02:20", "02:40", "03:00"].map((time) => `cron:c:${DAY}09:${time}.000Z`));
  expect(scene.store.schedules.occurrences({ limit: 9 }).at(-1)).toMatchObject({
    state: "skipped-missed",
    reason: "6 times were missed: no gateway with this workflow looked within a minute.",
  });
});

it("a look that comes a little late is no catch-up", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add();
  await scene.look(`${DAY}09:00:59Z`);
  expect(scene.history()).toEqual(["05-04T09:00 fired"]);
});

it("a clock that is set back fires nothing twice, and fires on from there", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add({ overlap: "allow" });
  await scene.look(`${DAY}09:00:00Z`);
  const back = openScheduleScene(`${DAY}08:59:00Z`, scene.store.path);
  expect(await back.look()).toBe(`${DAY}09:00:00.000Z`);
  await back.look(`${DAY}09:00:00Z`);
  expect(back.started).toEqual([]);
  await back.look(`${DAY}10:00:00Z`);
  expect(back.started).toEqual([`cron:c:${DAY}10:00:00.000Z`]);
});

it("a clock that was years ahead does not keep the schedule from its times", async () => {
  const scene = openScheduleScene("2031-05-04T08:30:00Z");
  await scene.add();
  const right = openScheduleScene(`${DAY}08:30:00Z`, scene.store.path);
  await right.look();
  await right.look(`${DAY}09:00:00Z`);
  expect(right.started).toEqual([`cron:c:${DAY}09:00:00.000Z`]);
});

it("while a run continues the next is skipped; once it has ended the next is fired", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add();
  await scene.look(`${DAY}09:00:00Z`);
  await scene.look(`${DAY}10:00:00Z`);
  scene.end(`cron:c:${DAY}09:00:00.000Z`);
  await scene.look(`${DAY}11:00:00Z`);
  expect(scene.history()).toEqual(["05-04T09:00 fired", "05-04T10:00 skipped-overlap", "05-04T11:00 fired"]);
});

it("with queue one waits for the run before it, and is looked at every second", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add({ overlap: "queue" });
  await scene.look(`${DAY}09:00:00Z`);
  expect(await scene.look(`${DAY}10:00:00Z`)).toBe(`${DAY}10:00:01.000Z`);
  await scene.look(`${DAY}11:00:00Z`);
  expect(scene.history()).toEqual(["05-04T09:00 fired", "05-04T10:00 queued", "05-04T11:00 skipped-overlap"]);
  scene.end(`cron:c:${DAY}09:00:00.000Z`);
  expect(await scene.look(`${DAY}11:10:00Z`)).toBe(`${DAY}12:00:00.000Z`);
  expect(scene.started).toEqual([`cron:c:${DAY}09:00:00.000Z`, `cron:c:${DAY}10:00:00.000Z`]);
});

it("a requested run overlaps as the schedule says, also of one that is switched off", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add({ enabled: false });
  const first = await requestScheduledRun(scene.db, { cronId: "c", auth }, scene);
  expect(first).toMatchObject({ state: "pending", trigger: "manual", auth: { triggeredBy: "ada" } });
  // The full second is the pattern's.
  expect(first.scheduledAtMs % 1_000).toBe(1);
  await scene.look();
  expect(scene.started).toEqual([`cron:c:${DAY}08:30:00.001Z`]);
  const second = await requestScheduledRun(scene.db, { cronId: "c", auth }, scene);
  expect(second).toMatchObject({ state: "skipped-overlap", runId: null });
});

it("a run that cannot be started is written down with the error; one that may be later is tried again", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add({ overlap: "allow" });
  const refused = new ServiceError("INVALID_INPUT", "no topic");
  await scene.look(`${DAY}09:00:00Z`, { start: () => Promise.reject(refused) });
  expect(scene.history()).toEqual(["05-04T09:00 failed"]);
  expect(scene.store.schedules.occurrences({ limit: 1 })[0]?.error).toMatchObject({ code: "INVALID_INPUT" });
  const busy = new ServiceError("CAPACITY_EXCEEDED", "closing");
  await scene.look(`${DAY}10:00:00Z`, { start: () => Promise.reject(busy) });
  expect(scene.history().at(-1)).toBe("05-04T10:00 pending");
  expect(scene.errors).toEqual([busy]);
  await scene.look(`${DAY}10:00:10Z`);
  expect(scene.history().at(-1)).toBe("05-04T10:00 fired");
});

it("a start that continues failing is given up after ten minutes", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add();
  const busy = new ServiceError("CAPACITY_EXCEEDED", "closing");
  for (const time of ["09:00:00", "09:10:00", "09:10:01"]) {
    await scene.look(`${DAY}${time}Z`, { start: () => Promise.reject(busy) });
  }
  expect(scene.history()).toEqual(["05-04T09:00 failed"]);
});

it("a schedule that is switched on again has missed nothing", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add({ catchUp: "latest", enabled: false });
  scene.clock.moveTo(Date.parse(`${DAY}12:30:00Z`));
  await updateSchedule(scene.db, { cronId: "c", enabled: true }, scene);
  expect(await scene.look()).toBe(`${DAY}13:00:00.000Z`);
  expect(scene.history()).toEqual([]);
});

it("a damaged schedule, or occurrence, keeps no other from its time", async () => {
  const scene = openScheduleScene(`${DAY}08:30:00Z`);
  await scene.add();
  await scene.add({ cronId: "d" });
  await scene.add({ cronId: "e" });
  await scene.look(`${DAY}09:00:00Z`);
  const { db } = scene.store.connection.use();
  db.exec("UPDATE _service_schedules SET overlap = 'what' WHERE cron_id = 'c'");
  db.exec("UPDATE _service_schedule_occurrences SET auth_json = '[]' WHERE cron_id = 'd'");
  scene.end(`cron:e:${DAY}09:00:00.000Z`);
  await scene.look(`${DAY}10:00:00Z`);
  expect(scene.started).toContain(`cron:e:${DAY}10:00:00.000Z`);
  expect(new Set(scene.errors.map((error) => (error as ServiceError).details?.["table"]))).toEqual(
    new Set(["_service_schedules", "_service_schedule_occurrences"]),
  );
});
