import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { z } from "zod";
import { listFrames } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

const FRAMES = 10_000;

it("10,000 frames are listed page by page, newest first, each once", async () => {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="long">
      <Task id="only" output={outputs.row}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  await scene.run(workflow);
  // As a loop of so many iterations leaves them, all with the tree of the newest one.
  const db = new Database(scene.path);
  db.exec(`
    WITH RECURSIVE added(frame_no) AS (
      SELECT max(frame_no) + 1 FROM _service_frames UNION ALL SELECT frame_no + 1 FROM added WHERE frame_no < ${FRAMES})
    INSERT INTO _service_frames (run_no, place, frame_no, created_at_ms, reason, seq, snapshot_frame_no)
    SELECT newest.run_no, newest.place - newest.frame_no + added.frame_no, added.frame_no, newest.created_at_ms,
      'output', newest.seq, newest.snapshot_frame_no
    FROM added, (SELECT * FROM _service_frames ORDER BY place DESC LIMIT 1) AS newest
  `);
  db.close();

  const seen: number[] = [];
  let beforeFrameNo: number | undefined;
  for (;;) {
    const page = await listFrames(workflow, "run", beforeFrameNo === undefined ? {} : { beforeFrameNo });
    expect(page.length).toBeLessThanOrEqual(100);
    if (page.length === 0) break;
    seen.push(...page.map(({ frameNo }) => frameNo));
    beforeFrameNo = seen.at(-1) as number;
  }
  expect(seen).toEqual(Array.from({ length: FRAMES }, (_, n) => FRAMES - n));
  const some = await listFrames(workflow, "run", { afterFrameNo: 4_000, beforeFrameNo: 4_003, limit: 1_000 });
  expect(some.map(({ frameNo }) => frameNo)).toEqual([4_002, 4_001]);
});
