import { hostname } from "node:os";
import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

/** Of a process that is dead for sure. */
const DEAD = `${hostname()}/4194399/x`;

/** A run that waits for a decision, and whose last three processes died alone before they had written anything. */
async function lost(maxInterruptions: number, inCompany = false) {
  const { api, run, resume, store, events } = openScene({ ok: z.object({ approved: z.boolean() }) });
  const { Workflow, Approval, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="waits">
      <Approval id="ask" output={outputs.ok} request={{ title: "On?" }} />
    </Workflow>
  ));
  await run(workflow, { maxInterruptions });
  for (let death = 0; death < 3; death += 1) {
    const { epoch, ownerId = null, heartbeatAtMs = null } = (await store.getRun("run")) ?? { epoch: 0 };
    const expected = { epoch, ownerId, heartbeatAtMs };
    const isAfterDeath = death > 0;
    await store.claimRun({ runId: "run", ownerId: DEAD, nowMs: death, expected, isAfterDeath, inCompany });
  }
  return { resume: () => resume(workflow), events };
}

it("a run that has lost its process as often as it may, before anything was written, fails without being rendered", async () => {
  const { resume, events } = await lost(3);
  expect(await resume()).toMatchObject({
    status: "failed",
    error: {
      code: "TASK_INTERRUPTED_TOO_OFTEN",
      message: expect.stringContaining("lost its process 3 times in a row before a task could begin"),
    },
  });
  expect(await events("FrameCommitted")).toHaveLength(1);
  // A resume by hand gives it the whole number again.
  expect(await resume()).toMatchObject({ status: "waiting-approval" });
});

it.each([
  ["one that may lose more", 4, false],
  ["one without a limit", 0, false],
  ["one that was not alone", 3, true],
])("%s continues", async (_which, maxInterruptions, inCompany) => {
  const { resume } = await lost(maxInterruptions, inCompany);
  expect(await resume()).toMatchObject({ status: "waiting-approval" });
});
