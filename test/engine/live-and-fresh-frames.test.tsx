import fc, { propertyRuns } from "../support/property-tests.js";
import { createContext, memo, type ReactNode, useContext, useMemo } from "react";
import { expect, it } from "vitest";
import { z } from "zod";
import { renderRunSnapshot } from "../../src/engine/reset/reset-snapshot.js";
import { engineWorkflow } from "../../src/engine/workflow-source.js";
import { applyDelta, toFrameSnapshot } from "../../src/graph/frame-delta.js";
import { type ServiceWorkflow, useCtx } from "../../src/index.js";
import { isTerminal } from "../../src/model/run.js";
import { runWith } from "../../src/operations/drive/run-with.js";
import type { RunSnapshot } from "../../src/store/contract.js";
import { openScene } from "../support/engine/scene.js";

/*
 * Whatever a process has rendered before: with each commit its newest frame is the one that a process
 * draws which knows the stored rows only.
 */

type Part = {
  kind: (typeof KINDS)[number];
  /** It is there while there are as many rows. */
  from: number;
  until: number;
  key: boolean;
  parts: readonly Part[];
};

const KINDS = [
  "task",
  "loop",
  "named-loop",
  "try",
  "failing",
  "saga",
  "parallel",
  "component",
  "memo",
  "provider",
  "list",
  "inline",
] as const;

const about = {
  from: fc.constantFrom(0, 0, 0, 1, 2, 3),
  until: fc.constantFrom(99, 99, 99, 4, 3, 2),
  key: fc.boolean(),
};
const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ kind: fc.constant("task" as const), ...about, parts: fc.constant([]) }),
    fc.record({
      kind: fc.constantFrom(...KINDS),
      ...about,
      parts: fc.array(tie("part"), { maxLength: 3 }),
    }),
  ),
}));

const schemas = { step: z.object({ n: z.number() }), output: z.object({ n: z.number() }) };
const Count = createContext(-1);

function workflowOf(root: readonly Part[]) {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Parallel, Loop, Saga, SagaStep, Subflow, Task, TryCatchFinally } = scene.api;
  const names = new Map<Part, string>();
  const nameOf = (each: Part) => {
    if (!names.has(each)) names.set(each, `p${names.size}`);
    return names.get(each) as string;
  };
  const Step = ({ id, fails = false }: { id: string; fails?: boolean }) => {
    const ctx = useCtx();
    const around = useContext(Count);
    const newest = ctx.latest("step", id)?.n;
    const seen = useMemo(() => ctx.outputs.step?.length, [ctx.outputs.step]);
    return (
      <Task
        id={id}
        output={scene.api.outputs.step}
        label={`${ctx.iteration} ${around} ${newest} ${seen} ${ctx.iterationCount("step", id)} ${JSON.stringify(Object.entries(ctx.iterations).sort())}`}
        retries={0}
      >
        {() => {
          if (fails) throw new Error("It fails.");
          return { n: 1 };
        }}
      </Task>
    );
  };
  const List = ({ parts }: { parts: readonly Part[] }): ReactNode =>
    children(parts, useCtx().outputs.step?.length ?? 0);
  const Kept = memo(List);
  const Rounds = ({ id, parts }: { id?: string; parts: readonly Part[] }) => {
    const ctx = useCtx();
    return (
      <Loop {...(id !== undefined && { id })} maxIterations={3} until={(ctx.outputs.step?.length ?? 0) > 6}>
        <List parts={parts} />
        <Step id={`${id ?? nameOf(parts[0] ?? NONE)}-round`} />
      </Loop>
    );
  };
  /** Its ids are the same in each use. */
  const child = scene.api.service((ctx) => (
    <Workflow name="child">
      <Step id="shared" />
      {ctx.outputMaybe("step", { nodeId: "shared" }) !== undefined && <Step id="later" />}
      <Task id="result" output={scene.api.outputs.output}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  const children = (parts: readonly Part[], count: number) =>
    parts.map((each) => each.from <= count && count < each.until && draw(each, count));
  const draw = (each: Part, count: number): ReactNode => {
    const id = nameOf(each);
    const key = each.key ? id : null;
    const list = <List parts={each.parts} />;
    switch (each.kind) {
      case "task":
        return <Step {...(key !== null && { key })} id={id} />;
      case "loop":
        return <Rounds {...(key !== null && { key })} parts={each.parts} />;
      case "named-loop":
        return <Rounds {...(key !== null && { key })} id={id} parts={each.parts} />;
      case "try":
        return (
          <TryCatchFinally {...(key !== null && { key })} try={list} finally={<Step id={`${id}-end`} />} />
        );
      case "failing":
        return (
          <TryCatchFinally
            {...(key !== null && { key })}
            try={<Step id={`${id}-fails`} fails />}
            catch={() => list}
          />
        );
      case "saga":
        return (
          <Saga {...(key !== null && { key })}>
            <SagaStep id="step" compensation={<Step id={`${id}-undo`} />}>
              {list}
            </SagaStep>
          </Saga>
        );
      case "parallel":
        return <Parallel {...(key !== null && { key })}>{children(each.parts, count)}</Parallel>;
      case "component":
        return <List {...(key !== null && { key })} parts={each.parts} />;
      case "memo":
        return <Kept {...(key !== null && { key })} parts={each.parts} />;
      case "provider":
        return (
          <Count {...(key !== null && { key })} value={count}>
            {children(each.parts, count)}
          </Count>
        );
      case "list":
        return children(each.parts, count);
      case "inline":
        return (
          <Sequence {...(key !== null && { key })}>
            <Subflow id={id} mode="inline" workflow={child} output={scene.api.outputs.step} />
            {list}
          </Sequence>
        );
      default:
        return each.kind satisfies never;
    }
  };
  const workflow = scene.api.service((ctx) => (
    <Workflow name="random">
      <Sequence>
        <Step id="first" />
        {children(root, ctx.outputs.step.length)}
      </Sequence>
    </Workflow>
  ));
  return { scene, workflow };
}

const NONE: Part = { kind: "task", from: 0, until: 0, key: false, parts: [] };

type RandomScene = ReturnType<typeof workflowOf>["scene"];

/** How a frame of the run differs from what a process draws that has just begun, if any does; and how many were compared. */
async function drivenAndCompared(scene: RandomScene, workflow: ServiceWorkflow) {
  const { store } = scene;
  let compared = 0;
  let difference: unknown = null;
  const compare = () => {
    const runSnapshot = store.loadRun("run") as RunSnapshot;
    if (isTerminal(runSnapshot.run.status) || runSnapshot.lastSnapshot.length === 0) return;
    const fresh = toFrameSnapshot(
      renderRunSnapshot(scene.services, engineWorkflow(workflow, store), runSnapshot),
    );
    compared += 1;
    expect(applyDelta(runSnapshot.lastSnapshot)).toEqual(JSON.parse(JSON.stringify(fresh)));
  };
  const crash = (point: string) => {
    if (point !== "after-commit" || difference !== null) return;
    try {
      compare();
    } catch (error) {
      difference = error;
    }
  };
  await store.prepare();
  const driving = runWith({ ...scene.services, crash }, workflow, {
    runId: "run",
    input: {},
    maxConcurrency: 1,
  });
  // A tree that is no workflow, such as a loop in a loop, draws nothing to be compared.
  await scene.time.until(driving).catch(() => null);
  await store.close();
  if (difference !== null) throw difference;
  return compared;
}

it("with each commit the newest frame is the one that a process draws which has just begun", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 3 }), async (root) => {
      const { scene, workflow } = workflowOf(root);
      await drivenAndCompared(scene, workflow);
    }),
    { ...propertyRuns(8), endOnFailure: true },
  );
});

it("the iterations of loops are those that a later process sees, in the frame that mounts a loop and after one has ended", async () => {
  const scene = openScene(schemas);
  const { Workflow, Loop, Task } = scene.api;
  const workflow = scene.api.service((ctx) => {
    const shown = `${ctx.iteration} ${JSON.stringify(ctx.iterations)}`;
    return (
      <Workflow name="loops">
        {["one", "two"].map((id) => (
          <Loop key={id} id={id} maxIterations={2}>
            <Task id={`${id}-step`} output={scene.api.outputs.step} label={shown}>
              {{ n: 1 }}
            </Task>
          </Loop>
        ))}
        <Task id="last" output={scene.api.outputs.step} label={shown} needsApproval>
          {{ n: 1 }}
        </Task>
      </Workflow>
    );
  });
  expect(await drivenAndCompared(scene, workflow)).toBeGreaterThan(0);
});
