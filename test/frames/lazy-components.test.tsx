import {
  createService,
  Loop,
  renderFrame,
  retryTask,
  Sequence,
  Task,
  TryCatchFinally,
  Workflow,
} from "treadle";
import { testWorkflow } from "treadle/testing";
import { lazy, type ReactElement, type ReactNode, Suspense, use } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";

afterEach(() => void vi.useRealTimers());

/** As a module that is there in a later turn of the event loop. */
function loaded<T>(value: T): Promise<T> {
  return new Promise((resolve) => void setImmediate(resolve, value));
}

/** As a process has it that has just begun: the task's code is still to be loaded. */
function inLateCode(task: ReactElement) {
  const Step = lazy(() => loaded({ default: () => task }));
  return (
    <Suspense fallback={null}>
      <Step />
    </Suspense>
  );
}

function lazyWorkflow() {
  const { service, outputs } = createService({
    step: z.object({ n: z.number() }),
    output: z.object({ order: z.array(z.string()) }),
  });
  const done: string[] = [];
  const Step = ({ id }: { id: string }) => (
    <Task id={id} output={outputs.step}>
      {() => ({ n: done.push(id) })}
    </Task>
  );
  const First = lazy(() => loaded({ default: Step }));
  const Last = lazy(() => loaded({ default: Step }));
  return service((ctx) => (
    <Workflow name="lazy">
      <Sequence>
        <Suspense fallback={<Step id="fallback" />}>
          <First id="first" />
        </Suspense>
        <Step id="second" />
        {ctx.latest("step", "second") !== undefined && (
          <Loop id="rounds" until={ctx.latest("step", "last") !== undefined} onMaxReached="fail">
            <Suspense>
              <Last id="last" />
            </Suspense>
          </Loop>
        )}
        <Task id="end" output={outputs.output}>
          {() => ({ order: done })}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

it("tasks of a component that is loaded later run in their place", async () => {
  const run = testWorkflow(lazyWorkflow());
  expect((await run.run()).output).toEqual({ order: ["first", "second", "last"] });
});

it("code that is loaded later may stand beside tasks that have run, inside one Suspense for all of them", async () => {
  const { service, outputs } = createService({ step: z.object({ n: z.number() }) });
  const Later = lazy(() =>
    loaded({
      default: () => (
        <Task id="later" output={outputs.step}>
          {{ n: 2 }}
        </Task>
      ),
    }),
  );
  const workflow = service((ctx) => (
    <Suspense fallback={null}>
      <Workflow name="around">
        <Task id="first" output={outputs.step}>
          {{ n: 1 }}
        </Task>
        {ctx.latest("step", "first") !== undefined && <Later />}
      </Workflow>
    </Suspense>
  ));
  const run = testWorkflow(workflow);
  expect((await run.run()).status).toBe("finished");
  expect((await run.tasks()).map(({ nodeId }) => nodeId)).toEqual(["first", "later"]);
});

it("a resume with code that is still to be loaded finds no task removed", async () => {
  const { service, outputs } = createService({ step: z.object({ n: z.number() }) });
  const code = () =>
    inLateCode(
      <Task id="late" output={outputs.step} needsApproval>
        {{ n: 1 }}
      </Task>,
    );
  let element = code();
  const run = testWorkflow(service(() => <Workflow name="resumed">{element}</Workflow>));
  expect((await run.run()).status).toBe("waiting-approval");
  await run.crash();
  element = code();
  await run.resume();
  expect((await run.approve("late")).status).toBe("finished");
});

describe("of a run whose block has failed, with code that is still to be loaded,", () => {
  async function failedRun() {
    const scene = openScene({ step: z.object({ n: z.number() }) });
    const { service, outputs } = scene.api;
    let isBroken = true;
    const code = () =>
      inLateCode(
        <Task id="late" output={outputs.step} noRetry>
          {() => {
            if (isBroken) throw new Error("It breaks.");
            return { n: 1 };
          }}
        </Task>,
      );
    let element = code();
    const workflow = service(() => (
      <Workflow name="retried">
        <TryCatchFinally try={element} finally={null} />
      </Workflow>
    ));
    expect((await scene.run(workflow)).status).toBe("failed");
    isBroken = false;
    const forget = () => {
      element = code();
    };
    forget();
    return { scene, workflow, forget };
  }

  it("a resume tries the block again", async () => {
    const { scene, workflow } = await failedRun();
    expect((await scene.resume(workflow)).status).toBe("finished");
  });

  it("a task can be retried", async () => {
    const { scene, workflow, forget } = await failedRun();
    const request = { runId: "run", nodeId: "late" };
    expect(await retryTask(workflow, { ...request, dryRun: true })).toMatchObject({ success: true });
    forget();
    expect(await retryTask(workflow, request)).toMatchObject({ success: true });
    forget();
    expect((await scene.resume(workflow)).status).toBe("finished");
  });
});

it("a preview shows what is loaded", async () => {
  const { tasks } = await renderFrame(lazyWorkflow());
  expect(tasks.map(({ nodeId }) => nodeId)).toEqual(["first", "second", "end"]);
});

it("a component that cannot be loaded fails the run with the reason", async () => {
  const { service } = createService({ step: z.object({ n: z.number() }) });
  const Broken = lazy(async (): Promise<{ default: () => ReactNode }> => {
    await loaded(null);
    throw new Error("There is no such file.");
  });
  const workflow = service(() => (
    <Workflow name="broken">
      <Suspense>
        <Broken />
      </Suspense>
    </Workflow>
  ));
  await expect(testWorkflow(workflow).run()).rejects.toThrow("There is no such file.");
});

it("a component that waits for something else than code is named after ten seconds", async () => {
  const never = new Promise<string>(() => {});
  const { service } = createService({ step: z.object({ n: z.number() }) });
  const Waits = () => <>{use(never)}</>;
  const workflow = service(() => (
    <Workflow name="waits">
      <Suspense fallback={null}>
        <Waits />
      </Suspense>
    </Workflow>
  ));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const preview = expect(renderFrame(workflow)).rejects.toThrow("has waited for 10 s");
  await vi.advanceTimersByTimeAsync(10_000);
  await preview;
});
