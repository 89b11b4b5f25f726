import type { ReactNode } from "react";
import { createService, listNodes } from "treadle";
import { z } from "zod";

/** Blocks of tasks that fail while their id is in `broken`; `ran` says what ran since it was last emptied. */
export function openBlocks() {
  const ran: string[] = [];
  const broken = new Set<string>();
  const api = createService(
    { input: z.object({}), row: z.object({ id: z.string() }) },
    { dbPath: ":memory:" },
  );
  const { Workflow, Sequence, Task, service, outputs } = api;
  const task = (id: string) => (
    <Task key={id} id={id} output={outputs.row} noRetry>
      {() => {
        ran.push(id);
        if (broken.has(id)) throw new Error(`${id} is broken`);
        return { id };
      }}
    </Task>
  );
  const workflowOf = (tree: ReactNode) =>
    service(() => (
      <Workflow name="blocks">
        <Sequence>
          {task("before")}
          {tree}
          {task("after")}
        </Sequence>
      </Workflow>
    ));
  const saga = (onFailure: "compensate" | "compensate-and-fail" | "fail" = "compensate") => (
    <api.Saga id="saga" onFailure={onFailure}>
      {["1", "2", "3"].map((n) => (
        <api.SagaStep key={n} id={n} compensation={task(`undo${n}`)}>
          {task(`do${n}`)}
        </api.SagaStep>
      ))}
    </api.Saga>
  );
  return { api, ran, broken, task, workflowOf, saga };
}

/** Of the run `run`, by node id. */
export async function finalStates(workflow: Parameters<typeof listNodes>[0]) {
  const rows = await listNodes(workflow, "run");
  return Object.fromEntries(rows.map(({ nodeId, state }) => [nodeId, state]));
}

export type Blocks = ReturnType<typeof openBlocks>;
export type BlocksWorkflow = ReturnType<Blocks["workflowOf"]>;
