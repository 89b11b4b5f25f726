import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { z } from "zod";
import { openScene, type Scene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }) };

/** As an earlier version stored them: without a mark in front. */
function removeMarks({ path }: Scene<typeof schemas>): void {
  const database = new Database(path);
  const [marked, unmarked] = ['"fingerprint":"2', '"fingerprint":"'];
  const { changes } = database
    .prepare("UPDATE _service_frames SET snapshot_json = replace(snapshot_json, ?, ?)")
    .run(marked, unmarked);
  expect(changes).toBeGreaterThan(0);
  database.prepare("UPDATE _service_nodes SET fingerprint = substr(fingerprint, 2)").run();
  const { n } = database
    .prepare("SELECT count(*) AS n FROM _service_nodes WHERE length(fingerprint) = 16")
    .get() as { n: number };
  database.close();
  expect(n).toBe(2);
}

function flow({ api }: Scene<typeof schemas>, id: string, compute: () => { n: number }) {
  const { Workflow, Sequence, Task, outputs } = api;
  return api.service(() => (
    <Workflow name="stored">
      <Sequence>
        <Task id="first" output={outputs.step}>
          {() => ({ n: 1 })}
        </Task>
        <Task id={id} output={outputs.step} retries={0}>
          {compute}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

const fail = () => {
  throw new Error("closed");
};

it("a run whose fingerprints an earlier version stored resumes, and is compared from then on", async () => {
  const scene = openScene(schemas);
  expect((await scene.run(flow(scene, "last", fail))).status).toBe("failed");
  removeMarks(scene);
  expect((await scene.resume(flow(scene, "last", fail))).status).toBe("failed");
  await expect(scene.resume(flow(scene, "last", () => ({ n: 2 })))).rejects.toMatchObject({
    code: "RESUME_METADATA_MISMATCH",
    details: { changes: [{ nodeId: "last", change: "changed" }] },
  });
});

it("of such a run, tasks with other ids still count as a change", async () => {
  const scene = openScene(schemas);
  await scene.run(flow(scene, "last", fail));
  removeMarks(scene);
  await expect(scene.resume(flow(scene, "end", fail))).rejects.toMatchObject({
    code: "RESUME_METADATA_MISMATCH",
  });
});
