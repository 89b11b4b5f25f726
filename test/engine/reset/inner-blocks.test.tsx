import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

const schemas = { row: z.object({ v: z.string() }) };

it("a resume of a failed block leaves inner blocks that had come to a good end as they are", async () => {
  const { api, run, node, events } = openScene(schemas);
  const { Workflow, Sequence, Task, TryCatchFinally, outputs, service } = api;
  const ran: string[] = [];
  const step = (id: string, fails: () => boolean = () => false) => (
    <Task id={id} output={outputs.row} retries={0}>
      {() => {
        ran.push(id);
        if (fails()) throw new Error(`${id} fails`);
        return { v: id };
      }}
    </Task>
  );
  let isBroken = true;
  const workflow = service(() => (
    <Workflow name="blocks">
      <TryCatchFinally
        id="outer"
        try={
          <Sequence>
            <TryCatchFinally id="fine" try={step("good")} catch={step("unneeded")} />
            <TryCatchFinally id="caught" try={step("bad", () => true)} catch={step("rescue")} />
            {step("late", () => isBroken)}
          </Sequence>
        }
        finally={step("clean-up")}
      />
    </Workflow>
  ));
  expect((await run(workflow)).status).toBe("failed");
  isBroken = false;
  ran.length = 0;
  expect((await run(workflow, { runId: "run", resume: true })).status).toBe("finished");
  expect(ran).toEqual(["late", "clean-up"]);
  expect((await node("unneeded"))?.state).toBe("skipped");
  expect((await node("bad"))?.state).toBe("failed");
  const reopened = (await events("NodePending")).map(({ nodeId }) => nodeId).slice(6);
  expect(reopened.toSorted()).toEqual(["clean-up", "late"]);
});
