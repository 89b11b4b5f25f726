import { hostname } from "node:os";
import { expect, it } from "vitest";
import { z } from "zod";
import { explainRun, getRun } from "../../../src/index.js";
import { callIn } from "../../cli/support/in-process.js";
import { openScene } from "../../support/engine/scene.js";

/** Of a process that is dead for sure. */
const DEAD = `${hostname()}/4194399/x`;

/** A run that waits for a timer, as processes in a row have left it that died while they drove it. */
async function lost(times: number, secondsAgo: number) {
  const { api, drive, store, path } = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Timer, service } = api;
  const workflow = service(() => (
    <Workflow name="waits">
      <Timer id="pause" duration="1h" />
    </Workflow>
  ));
  await drive(workflow);
  const atMs = Date.now() - secondsAgo * 1_000;
  for (let death = 0; death < times; death += 1) {
    const { epoch, ownerId = null, heartbeatAtMs = null } = (await store.getRun("run")) ?? { epoch: 0 };
    const expected = { epoch, ownerId, heartbeatAtMs };
    await store.claimRun({ runId: "run", ownerId: DEAD, nowMs: atMs, expected, isAfterDeath: death > 0 });
  }
  const { blockers } = await explainRun(workflow, "run");
  const owner = blockers.filter(({ kind }) => kind === "owner");
  const { recovery } = await getRun(workflow, "run");
  const ps = await callIn(path.slice(0, path.lastIndexOf("/")), ["ps"]);
  return { owner, recovery, atMs, ps: ps.stdout };
}

it("a run whose process has died says how long it is left as it is", async () => {
  const { owner, recovery, atMs } = await lost(1, 0);
  expect(recovery).toEqual({ deaths: 1, notBeforeMs: atMs + 1_000, isAlone: false });
  expect(owner).toMatchObject([
    { untilMs: atMs + 1_000, summary: expect.stringContaining("A process died while driving this run") },
  ]);
});

it("one that has lost several says that it waits to be driven alone, and until when", async () => {
  const { owner, recovery, atMs, ps } = await lost(10, 5);
  // A second, doubled by each death, up to five minutes.
  expect(recovery).toEqual({ deaths: 10, notBeforeMs: atMs + 300_000, isAlone: true });
  expect(owner).toMatchObject([
    {
      untilMs: atMs + 300_000,
      remedy: { action: "resume", runId: "run" },
      summary: expect.stringMatching(/10 processes in a row died .* not for another .*drive it alone/),
    },
  ]);
  expect(ps).toMatch(/waits 4m.* to be driven alone/);
});

it("when its time is over, being alone is all that it waits for", async () => {
  const { owner, recovery, ps } = await lost(3, 60);
  expect(recovery).toEqual({ deaths: 3, notBeforeMs: null, isAlone: true });
  expect(owner[0]).not.toHaveProperty("untilMs");
  expect(ps).toContain("(waits to be driven alone)");
});

it("one whose process died once, a while ago, waits for nothing", async () => {
  const { owner, recovery } = await lost(1, 60);
  expect({ owner, recovery }).toEqual({ owner: [], recovery: null });
});
