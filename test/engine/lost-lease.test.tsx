import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

const STOPPED_MS = 15_000;

/** Two tasks that start in one turn; the code of the first does what happens to the process meanwhile. */
function twoTasks(meanwhile: (scene: { takeOver(): void; stand(ms: number): void }) => void) {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Parallel, Task, outputs, service } = scene.api;
  const ran: string[] = [];
  const happening = {
    stand: (ms: number) => scene.time.moveTo(scene.time.now() + ms),
    takeOver() {
      const { epoch, ownerId, heartbeatAtMs } = scene.store.getRun("run") as never;
      const expected = { epoch, ownerId, heartbeatAtMs };
      void scene.store.claimRun({ runId: "run", ownerId: "another/1/x", nowMs: scene.time.now(), expected });
    },
  };
  const workflow = service(() => (
    <Workflow name="two">
      <Parallel>
        {["first", "second"].map((id) => (
          <Task key={id} id={id} output={outputs.row}>
            {() => {
              ran.push(id);
              if (id === "first") meanwhile(happening);
              return { n: 1 };
            }}
          </Task>
        ))}
      </Parallel>
    </Workflow>
  ));
  return { ...scene, workflow, ran };
}

describe("a process that was stopped between two starts", () => {
  it("begins nothing more when another has taken the run over", async () => {
    const { run, workflow, ran, store } = twoTasks(({ stand, takeOver }) => {
      takeOver();
      stand(STOPPED_MS);
    });
    await expect(run(workflow)).rejects.toMatchObject({ code: "RUN_RESUME_CLAIM_LOST" });
    expect(ran).toEqual(["first"]);
    expect(await store.getRun("run")).toMatchObject({ ownerId: "another/1/x", status: "running" });
  });

  it("continues when the run is still its own", async () => {
    const { run, workflow, ran } = twoTasks(({ stand }) => stand(STOPPED_MS));
    expect(await run(workflow)).toMatchObject({ status: "finished" });
    expect(ran).toEqual(["first", "second"]);
  });

  it("asks the database also when the clock was set back meanwhile", async () => {
    const { run, workflow, ran } = twoTasks(({ stand, takeOver }) => {
      takeOver();
      stand(-3_600_000);
    });
    await expect(run(workflow)).rejects.toMatchObject({ code: "RUN_RESUME_CLAIM_LOST" });
    expect(ran).toEqual(["first"]);
  });
});
