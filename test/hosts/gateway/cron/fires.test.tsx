import { describe, expect, it } from "vitest";
import { ServiceDb } from "../../../../src/index.js";
import { requestScheduledRun } from "../../../../src/operations/index.js";
import { VirtualClock } from "../../../../src/testing/virtual-clock.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { type OpenGateway, openGateway } from "../support/gateway.js";
import { doubling, held } from "../support/workflows.js";
import { counting } from "./support/workflows.js";

const START = Date.parse("2026-05-04T08:30:00Z");
const at = (time: string) => Date.parse(`2026-05-04T${time}Z`);

async function schedule(gateway: OpenGateway, cronId: string) {
  const { schedules } = await gateway.call<{ schedules: Record<string, unknown>[] }>("cronList", { cronId });
  return schedules[0] as Record<string, unknown> & { history: Record<string, unknown>[] };
}

/** Moves the clock and waits until the schedule has something to tell of it. */
async function passes(
  gateway: OpenGateway,
  clock: VirtualClock,
  { to, cronId }: { to: number; cronId: string },
) {
  clock.moveTo(to);
  await expect
    .poll(async () => (await schedule(gateway, cronId)).history.map(({ scheduledAtMs }) => scheduledAtMs))
    .toContain(to);
  await expect.poll(async () => (await schedule(gateway, cronId)).history[0]?.["state"]).not.toBe("pending");
}

describe("a workflow that is registered with a schedule", () => {
  it("is started at its times, as the system, and in no way twice by two gateways", async () => {
    const clock = new VirtualClock(START);
    const folder = temporaryFolder();
    const open = () =>
      openGateway((gateway) => gateway.register("count", counting(folder), { schedule: "0 * * * *" }), {
        folder,
        clock,
      });
    const [first, second] = [await open(), await open()];
    const to = at("09:00:00");
    await passes(first, clock, { to, cronId: "gateway:count" });
    await passes(second, clock, { to: at("10:00:00"), cronId: "gateway:count" });
    const runIds = ["09:00:00", "10:00:00"].map((time) => `cron:gateway:count:2026-05-04T${time}.000Z`);
    for (const runId of runIds) await first.until(runId, "finished");
    const { runs } = await first.call<{ runs: { runId: string }[] }>("listRuns");
    expect(runs.map(({ runId }) => runId).sort()).toEqual(runIds);
    const { output } = (await first.call("getNode", { runId: runIds[0], nodeId: "count" })) as {
      output: { by: string };
    };
    expect(JSON.parse(output.by)).toEqual({
      triggeredBy: "cron:gateway",
      role: "system",
      scopes: ["*"],
      createdAt: "2026-05-04T09:00:00.000Z",
    });
  });

  it("is started for a request that another process has kept, long before the schedules are looked at by the clock", async () => {
    const clock = new VirtualClock(START);
    const gateway = await openGateway(
      (gateway, folder) => gateway.register("count", counting(folder), { schedule: "0 * * * *" }),
      { clock, heartbeatMs: 3_600_000 },
    );
    const other = new ServiceDb(counting(gateway.folder).db);
    const auth = { triggeredBy: "another process", role: "system", scopes: ["*"] };
    await requestScheduledRun(other, { cronId: "gateway:count", auth }, { clock });
    clock.moveTo(START + 1_000);
    await expect
      .poll(async () => (await schedule(gateway, "gateway:count")).history.map(({ state }) => state))
      .toEqual(["fired"]);
  });

  it("has one row, which follows the code and keeps what else was said of it", async () => {
    const clock = new VirtualClock(START);
    const folder = temporaryFolder();
    const open = (pattern?: string) =>
      openGateway(
        (gateway) =>
          gateway.register("count", counting(folder), pattern === undefined ? {} : { schedule: pattern }),
        { folder, clock },
      );
    const first = await open("0 * * * *");
    expect(await schedule(first, "gateway:count")).toMatchObject({
      workflowKey: "count",
      pattern: "0 * * * *",
      timeZone: "UTC",
      overlap: "skip",
      catchUp: "skip",
      enabled: true,
      createdBy: "gateway",
      nextFiresAtMs: ["09", "10", "11", "12", "13"].map((hour) => at(`${hour}:00:00`)),
    });
    await first.call("cronUpdate", { cronId: "gateway:count", enabled: false, timeZone: "Asia/Kolkata" });
    expect(await first.rpc("cronUpdate", { cronId: "gateway:count", pattern: "1 * * * *" })).toMatchObject({
      status: 400,
      body: { error: { details: { option: "pattern" } } },
    });
    expect((await first.rpc("cronDelete", { cronId: "gateway:count" })).status).toBe(400);
    await first.gateway.close();
    const second = await open("30 * * * *");
    expect(await schedule(second, "gateway:count")).toMatchObject({
      pattern: "30 * * * *",
      timeZone: "Asia/Kolkata",
      enabled: false,
      nextFiresAtMs: [],
    });
    await second.gateway.close();
    const third = await open();
    expect(await third.call("cronList")).toEqual({ schedules: [] });
  });

  it("catches up with what was due while no gateway was there, if it says so", async () => {
    const clock = new VirtualClock(START);
    const folder = temporaryFolder();
    const open = () =>
      openGateway((gateway) => gateway.register("count", counting(folder), { schedule: "0 * * * *" }), {
        folder,
        clock,
      });
    const first = await open();
    await first.call("cronUpdate", { cronId: "gateway:count", catchUp: "latest" });
    await first.gateway.close();
    clock.moveTo(at("12:30:00"));
    const second = await open();
    const { history } = await schedule(second, "gateway:count");
    expect(history.map(({ state }) => state)).toEqual(["fired", "skipped-missed"]);
    await second.until("cron:gateway:count:2026-05-04T12:00:00.000Z", "finished");
  });
});

it("a run that continues keeps the next from starting, asked for or not, and says so", async () => {
  const clock = new VirtualClock(START);
  const gateway = await openGateway(
    (gateway, folder) => {
      const { workflow, open } = held(folder);
      gateway.register("held", workflow, { schedule: "0 * * * *" });
      ends.push(open);
    },
    { clock },
  );
  await passes(gateway, clock, { to: at("09:00:00"), cronId: "gateway:held" });
  expect(await gateway.call("cronRun", { cronId: "gateway:held" })).toMatchObject({
    state: "skipped-overlap",
    runId: null,
    reason: "The run before it had not ended.",
  });
  await passes(gateway, clock, { to: at("10:00:00"), cronId: "gateway:held" });
  expect((await schedule(gateway, "gateway:held")).history[0]).toMatchObject({ state: "skipped-overlap" });
  for (const end of ends.splice(0)) end();
  await gateway.until("cron:gateway:held:2026-05-04T09:00:00.000Z", "finished");
  await passes(gateway, clock, { to: at("11:00:00"), cronId: "gateway:held" });
  expect((await schedule(gateway, "gateway:held")).history[0]).toMatchObject({ state: "fired" });
});

const ends: (() => void)[] = [];

it("a schedule whose input no longer fits fails and says why, and the others continue", async () => {
  const clock = new VirtualClock(START);
  const gateway = await openGateway(
    // Its input has no default.
    (gateway, folder) => gateway.register("double", doubling(folder), { schedule: "0 * * * *" }),
    { clock },
  );
  await gateway.call("cronCreate", {
    workflow: "double",
    cronId: "two",
    pattern: "0 * * * *",
    input: { n: 2 },
  });
  await passes(gateway, clock, { to: at("09:00:00"), cronId: "two" });
  expect((await schedule(gateway, "two")).history[0]).toMatchObject({ state: "fired" });
  await passes(gateway, clock, { to: at("10:00:00"), cronId: "gateway:double" });
  expect((await schedule(gateway, "gateway:double")).history[0]).toMatchObject({
    state: "failed",
    error: { code: "INVALID_INPUT" },
  });
});

describe("a schedule that is made or changed through a gateway", () => {
  it("is looked at at once: its first times are not passed over", async () => {
    const clock = new VirtualClock(START);
    const gateway = await openGateway((own, folder) => own.register("count", counting(folder)), { clock });
    await gateway.call("cronCreate", { workflow: "count", cronId: "often", pattern: "0 0 * * *" });
    await gateway.call("cronUpdate", { cronId: "often", pattern: "*/5 * * * * *" });
    // Nothing else makes the gateway look for another 10 seconds.
    await passes(gateway, clock, { to: START + 5_000, cronId: "often" });
    const { history } = await schedule(gateway, "often");
    expect(history).toMatchObject([{ scheduledAtMs: START + 5_000, state: "fired" }]);
  });
});
