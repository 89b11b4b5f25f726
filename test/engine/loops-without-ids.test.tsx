import Database from "better-sqlite3";
import { createContext, type ReactNode } from "react";
import { expect, it } from "vitest";
import { z } from "zod";
import { cancelRun, signalRun, useCtx } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { step: z.object({ n: z.number() }) };
const AncestorContext = createContext(0);

/** Five loops without ids, of five rounds each; each stands beside what comes or goes. */
function manyLoops() {
  const scene = openScene(schemas);
  const { Workflow, Parallel, Sequence, Loop, Task, TryCatchFinally, outputs, service } = scene.api;
  const ran: string[] = [];
  const Rounds = ({ id }: { id: string }): ReactNode => {
    const ctx = useCtx();
    return (
      <Loop until={ctx.iterationCount("step", id) >= 5} maxIterations={9}>
        <Round id={id} />
      </Loop>
    );
  };
  const Round = ({ id }: { id: string }) => {
    const { iteration } = useCtx();
    return (
      <Task id={id} output={outputs.step}>
        {async (_inputs, { signal }) => {
          ran.push(`${id} ${iteration}`);
          await scene.time.pause(iteration === 2 ? 2_000 : 1, signal);
          return { n: iteration };
        }}
      </Task>
    );
  };
  const Beside = ({ id }: { id: string }) => (
    <Task id={`beside-${id}`} output={outputs.step}>
      {{ n: 0 }}
    </Task>
  );
  const isUnderWay = (id: string) => useCtx().iterationCount("step", id) > 0;
  const Comes = (): ReactNode => [<Rounds id="comes" />, isUnderWay("comes") && <Beside id="comes" />];
  const Goes = () => (
    <>
      <Rounds id="goes" />
      {!isUnderWay("goes") && <Beside id="goes" />}
    </>
  );
  const Second = () => (
    <AncestorContext value={1}>
      {isUnderWay("second") && <Beside id="second" />}
      <Rounds id="second" />
    </AncestorContext>
  );
  const Caught = () => (
    <>
      <TryCatchFinally
        try={
          <Task id="bad" output={outputs.step} retries={0}>
            {() => {
              ran.push("bad");
              throw new Error("bad");
            }}
          </Task>
        }
        catch={() => <Rounds id="caught" />}
      />
      {isUnderWay("caught") && <Beside id="caught" />}
    </>
  );
  const Nested = (): ReactNode => [
    <Loop key="outer" maxIterations={1}>
      <Sequence>
        <Rounds id="nested" />
      </Sequence>
      {isUnderWay("comes") && <Beside id="nested" />}
    </Loop>,
  ];
  const workflow = service(() => (
    <Workflow name="loops">
      <Parallel maxConcurrency={20}>
        <Comes />
        <Goes />
        <Second />
        <Caught />
        <Nested />
      </Parallel>
    </Workflow>
  ));
  const options = { maxConcurrency: 20 };
  return {
    scene,
    ran,
    /** Until each of the loops is in its third round. */
    async begin() {
      const driving = scene.drive(workflow, options);
      await scene.time.advance(1_000);
      await cancelRun(workflow, { runId: "run", reason: "so that another one resumes it" });
      expect((await scene.time.until(driving)).status).toBe("cancelled");
    },
    resume: () => scene.resume(workflow, options),
  };
}

const ROUNDS = ["comes", "goes", "second", "caught", "nested"].flatMap((id) =>
  [0, 1, 2, 2, 3, 4].map((round) => `${id} ${round}`),
);

it("loops without ids continue where they were when the run is resumed, whatever came and went beside them", async () => {
  const { begin, resume, ran } = manyLoops();
  await begin();
  expect((await resume()).status).toBe("finished");
  expect(ran.toSorted()).toEqual([...ROUNDS, "bad"].toSorted());
});

/** Of an element, and what it was called when ids depended on what stood beside it as it was mounted. */
const FORMER = {
  "loop@0.4~outer.0.0": "loop:0.4.outer.0.0",
  "loop@0.4~outer": "loop:0.4.outer",
  "loop@0.0": "loop:0.0",
  "loop@0.1": "loop:0.1.0",
  "loop@0.2~~1": "loop:0.2.1",
  "loop@0.3.1.0": "loop:0.3.1.0",
  "try@0.3": "try:0.3",
};

/** Rewrites what is stored to what the process of that time would have stored. */
function withFormerIds(path: string): void {
  const db = new Database(path);
  const columns = db
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND c.type = 'TEXT'`,
    )
    .all() as { table: string; column: string }[];
  for (const { table, column } of columns) {
    for (const [id, former] of Object.entries(FORMER)) {
      db.prepare(`UPDATE "${table}" SET "${column}" = replace("${column}", ?, ?)`).run(id, former);
    }
  }
  db.exec("UPDATE step SET _checksum = NULL");
  db.close();
}

it("loops without ids continue where they were in runs that were stored with other ids", async () => {
  const { scene, begin, resume, ran } = manyLoops();
  await begin();
  const stored = new Set((await scene.store.listControls("run")).map(({ id }) => id.split("@@")[0]));
  expect([...stored].toSorted()).toEqual(Object.keys(FORMER).toSorted());
  withFormerIds(scene.path);

  expect((await resume()).status).toBe("finished");
  expect(ran.toSorted()).toEqual([...ROUNDS, "bad"].toSorted());
  const kept = new Set((await scene.store.listControls("run")).map(({ id }) => id.split("@@")[0]));
  expect([...kept].toSorted()).toEqual(Object.values(FORMER).toSorted());
});

it("an id that an author has given to one loop is never taken for the former one of another", async () => {
  const { api, run, resume, events } = openScene(schemas);
  const { Workflow, Loop, Task, WaitForEvent, outputs, service } = api;
  const workflow = service((ctx) => (
    <Workflow name="named-alike">
      <Loop id="loop:1" until={ctx.iterationCount("step", "a") >= 2}>
        <Task id="a" output={outputs.step}>
          {{ n: 1 }}
        </Task>
      </Loop>
      <Loop until={ctx.iterationCount("step", "b") >= 2}>
        <Task id="b" output={outputs.step}>
          {{ n: 2 }}
        </Task>
      </Loop>
      <WaitForEvent id="go" event="go" output={outputs.step} />
    </Workflow>
  ));
  expect((await run(workflow)).status).toBe("waiting-event");
  await signalRun(workflow, { runId: "run", signal: "go", data: { n: 3 } });
  expect((await resume(workflow)).status).toBe("finished");
  expect(await events("NodeFinished")).toHaveLength(5);
});
