import type { ReactNode } from "react";
import { createService } from "treadle";
import { testWorkflow, type WorkflowTest } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const api = createService({ note: z.object({ text: z.string() }) });
const { Workflow, Sequence, Loop, Task, Saga, SagaStep, Timer, TryCatchFinally, service, outputs } = api;

const free = (id: string) => (
  <Task key={id} id={id} output={outputs.note} retries={0}>
    {{ text: id }}
  </Task>
);
const fail = (id: string) => (
  <Task key={id} id={id} output={outputs.note} retries={0}>
    {() => Promise.reject(new Error("no"))}
  </Task>
);
const step = (id: string, action: ReactNode = free(`do-${id}`)) => (
  <SagaStep key={id} id={id} compensation={free(`undo-${id}`)}>
    {action as never}
  </SagaStep>
);

type Context = Parameters<Parameters<typeof service>[0]>[0];
const hasRow = (ctx: Context, nodeId: string) => ctx.outputMaybe(outputs.note, { nodeId }) !== undefined;
const testOf = (tree: (ctx: Context) => ReactNode, options = {}) =>
  testWorkflow(
    service((ctx) => <Workflow name="sagas">{tree(ctx) as never}</Workflow>),
    { options },
  );
const statesOf = async (test: WorkflowTest) =>
  Object.fromEntries((await test.tasks()).map(({ nodeId, state }) => [nodeId, state]));

/** The first step is rendered until it has finished. */
const forgetful = (ctx: Context, last: ReactNode = fail("do-b")) => (
  <Saga id="trip">
    {!hasRow(ctx, "do-a") && step("a")}
    {step("b", last)}
  </Saga>
);

describe("a frame without a finished step of a saga that is under way", () => {
  const lost = {
    status: "failed",
    error: { code: "WORKFLOW_RENDER_FAILED", details: { sagaId: "trip", steps: ["a"] } },
  };

  it("is refused, and no later step begins", async () => {
    const test = testOf((ctx) => forgetful(ctx));
    expect(await test.run()).toMatchObject(lost);
    expect(test.result.error?.message).toContain("Saga trip");
    expect(await statesOf(test)).toMatchObject({ "do-a": "finished", "do-b": "pending" });
  });

  it("is refused by a process that continues the run, no matter at which commit the first one died", async () => {
    for (const when of ["before", "after"] as const) {
      for (let commit = 1; commit <= 6; commit += 1) {
        const test = testOf((ctx) => forgetful(ctx));
        await test.run({ commit, when });
        if (test.result.status === "running") await test.resume();
        expect(test.result).toMatchObject(lost);
      }
    }
  });

  it("is refused again by a resume, which finds no change of the workflow", async () => {
    const test = testOf((ctx) => forgetful(ctx));
    await test.run();
    expect(await test.resume()).toMatchObject(lost);
  });

  it("is refused where the step leaves while a later one waits", async () => {
    let isRendered = true;
    const test = testOf(
      () => (
        <Saga id="trip">
          {isRendered && step("a")}
          {step("b", [<Timer key="nap" id="nap" duration="1h" />, fail("do-b")])}
        </Saga>
      ),
      { acceptWorkflowChange: true },
    );
    expect((await test.run()).status).toBe("waiting-timer");
    isRendered = false;
    await test.advance("1h");
    expect(test.result).toMatchObject(lost);
  });

  it("is refused where the whole saga leaves with the step", async () => {
    const test = testOf((ctx) => (
      <Sequence>
        {!hasRow(ctx, "do-a") && (
          <Saga id="trip">
            {step("a")}
            {step("b")}
          </Saga>
        )}
        {free("after")}
      </Sequence>
    ));
    expect(await test.run()).toMatchObject(lost);
  });

  it("is refused in a loop's round and in a block", async () => {
    const test = testOf((ctx) => (
      <Loop id="rounds" until={false} maxIterations={2}>
        <TryCatchFinally
          try={forgetful(ctx, ctx.iteration === 0 ? free("do-b") : fail("do-b"))}
          catch={free("caught")}
        />
      </Loop>
    ));
    expect(await test.run()).toMatchObject({ status: "failed", error: { code: "WORKFLOW_RENDER_FAILED" } });
  });

  it("can be mended: the resumed run undoes the step", async () => {
    let isMended = false;
    const test = testOf((ctx) =>
      isMended ? (
        <Saga id="trip">
          {step("a")}
          {step("b", fail("do-b"))}
        </Saga>
      ) : (
        forgetful(ctx)
      ),
    );
    await test.run();
    isMended = true;
    expect(await test.resume()).toMatchObject({ status: "finished", failedChildKeys: ["do-b::0"] });
    expect(await statesOf(test)).toMatchObject({ "undo-a": "finished" });
  });

  it("is refused while other steps are undone, as long as it is not undone itself", async () => {
    const test = testOf((ctx) => (
      <Saga id="trip">
        {!hasRow(ctx, "undo-b") && step("a")}
        {step("b")}
        {step("c", fail("do-c"))}
      </Saga>
    ));
    expect(await test.run()).toMatchObject(lost);
  });
});

describe("a step may leave the tree", () => {
  it("once its saga cannot fail any more", async () => {
    const test = testOf((ctx) => (
      <Sequence>
        {!hasRow(ctx, "do-b") && (
          <Saga id="trip">
            {step("a")}
            {step("b")}
          </Saga>
        )}
        {free("after")}
      </Sequence>
    ));
    expect((await test.run()).status).toBe("finished");
    expect(await statesOf(test)).toMatchObject({ after: "finished" });
  });

  it("once it is undone", async () => {
    const test = testOf((ctx) => (
      <Saga id="trip">
        {step("a")}
        {!hasRow(ctx, "undo-b") && step("b")}
        {step("c", fail("do-c"))}
      </Saga>
    ));
    expect((await test.run()).status).toBe("finished");
    expect(await statesOf(test)).toMatchObject({ "undo-a": "finished", "undo-b": "finished" });
  });

  it("before it has begun", async () => {
    const test = testOf((ctx) => (
      <Saga id="trip">
        {step("a")}
        {!hasRow(ctx, "do-a") && step("b")}
        {step("c")}
      </Saga>
    ));
    expect((await test.run()).status).toBe("finished");
  });

  it("where the saga never undoes", async () => {
    const test = testOf((ctx) => (
      <Saga id="trip" onFailure="fail">
        {!hasRow(ctx, "do-a") && step("a")}
        {step("b")}
      </Saga>
    ));
    expect((await test.run()).status).toBe("finished");
  });
});
