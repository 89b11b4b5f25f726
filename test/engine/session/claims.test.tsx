import { hostname } from "node:os";
import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

const schemas = { note: z.object({ text: z.string() }) };
/** Of another machine, so that nothing is looked for here. */
const OTHERS = `not-${hostname()}/1/session/x.1`;

/** A waiting run that a supervisor has claimed for a process, which then resumes it. */
async function claimed({ isChanged }: { isChanged: boolean }) {
  const { api, store, drive, time } = openScene(schemas);
  const { Workflow, Sequence, Task, Timer, outputs, service } = api;
  const workflowOf = (hasTask: boolean) =>
    service(() => (
      <Workflow name="claimed">
        <Sequence>
          {hasTask ? (
            <Task id="new" output={outputs.note}>
              {{ text: "x" }}
            </Task>
          ) : null}
          <Timer id="pause" duration="1h" />
        </Sequence>
      </Workflow>
    ));
  await drive(workflowOf(false));
  const run = await store.getRun("run");
  const claimHeartbeatAtMs = time.now();
  const { ownerId: claimOwnerId } = await store.claimRun({
    runId: "run",
    ownerId: `${OTHERS}-supervisor`,
    nowMs: claimHeartbeatAtMs,
    expected: {
      epoch: run?.epoch ?? 0,
      ownerId: run?.ownerId ?? null,
      heartbeatAtMs: run?.heartbeatAtMs ?? null,
    },
  });
  const resume = (restore: { restoreRuntimeOwnerId?: string | null; restoreHeartbeatAtMs?: number | null }) =>
    drive(workflowOf(isChanged), {
      resume: true,
      resumeClaim: { claimOwnerId, claimHeartbeatAtMs, ...restore },
    });
  const owner = async () => {
    const { ownerId = null, heartbeatAtMs = null } = (await store.getRun("run")) ?? {};
    return { ownerId, heartbeatAtMs };
  };
  return { resume, owner };
}

it("a claimed run that cannot be gone on with is handed back to the owner it had, with its heartbeat", async () => {
  const { resume, owner } = await claimed({ isChanged: true });
  await expect(resume({ restoreRuntimeOwnerId: OTHERS, restoreHeartbeatAtMs: 12 })).rejects.toMatchObject({
    code: "RESUME_METADATA_MISMATCH",
  });
  expect(await owner()).toEqual({ ownerId: OTHERS, heartbeatAtMs: 12 });
});

it("without an owner to go back to it has none", async () => {
  const { resume, owner } = await claimed({ isChanged: true });
  await expect(resume({})).rejects.toMatchObject({ code: "RESUME_METADATA_MISMATCH" });
  expect((await owner()).ownerId).toBeNull();
});

it("a claimed run that continues is released as any other", async () => {
  const { resume, owner } = await claimed({ isChanged: false });
  const result = await resume({ restoreRuntimeOwnerId: OTHERS, restoreHeartbeatAtMs: 12 });
  expect(result.status).toBe("waiting-timer");
  expect((await owner()).ownerId).toBeNull();
});
