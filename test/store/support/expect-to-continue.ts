import { runWorkflow } from "treadle";
import { expect } from "vitest";
import type { Scene } from "../../support/engine/scene.js";
import { PARKED, type ParkedRun, parkedRuns, type parkedSchemas } from "./parked-runs.js";

/** Gives a parked run what it waits for: what is left of it runs, and what was there stays. */
export async function expectToContinue(scene: Scene<typeof parkedSchemas>, name: string): Promise<void> {
  const { store } = scene;
  await store.prepare();
  const all = parkedRuns(scene, false);
  expect(all.map((each) => each.name)).toEqual(PARKED);
  const { workflow, answer, ran, left } = all[PARKED.indexOf(name)] as ParkedRun;
  let runId = name;
  for (let next = await store.getRun(name); next?.nextRunId != null; next = await store.getRun(runId)) {
    runId = next.nextRunId;
  }
  const before = await store.listOutputs(runId, "row");
  await answer(runId);
  const result = await runWorkflow(workflow, { runId, resume: true });
  expect(result).toMatchObject({ runId, status: "finished" });
  expect(ran).toEqual(left);
  expect(await store.listOutputs(runId, "row")).toEqual(expect.arrayContaining(before));
}
