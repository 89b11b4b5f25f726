import { lazy, type ReactNode, Suspense } from "react";
import { expect, it } from "vitest";
import { z } from "zod";
import { cancelRun, ServiceError } from "../../src/index.js";
import { isFrameAwaited } from "../../src/renderer/frame-waits.js";
import { openScene } from "../support/engine/scene.js";

/** A run whose first task is followed, or preceded, by code that is never there. */
function neverLoaded({ isAtOnce }: { isAtOnce: boolean }) {
  const scene = openScene({ step: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = scene.api;
  const state = { isAtOnce };
  let Never = lazy((): Promise<{ default: () => ReactNode }> => new Promise(() => {}));
  const workflow = service((ctx) => (
    <Workflow name="loads">
      <Task id="first" output={outputs.step}>
        {{ n: 1 }}
      </Task>
      <Suspense>{(state.isAtOnce || ctx.latest("step", "first") !== undefined) && <Never />}</Suspense>
    </Workflow>
  ));
  const load = () => {
    Never = lazy(async () => ({ default: () => null }));
  };
  const isWaiting = () => expect.poll(isFrameAwaited).toBe(true);
  return { ...scene, workflow, state, load, isWaiting };
}

const STOP = new ServiceError("PROCESS_ABORTED", "The test stops.");

it("a stop is heard while a frame waits for code, and what has finished is kept", async () => {
  const { drive, workflow, isWaiting, node, store, load, resume } = neverLoaded({ isAtOnce: false });
  const stop = new AbortController();
  const driving = drive(workflow, { signal: stop.signal });
  await isWaiting();
  expect(await node("first")).toMatchObject({ state: "finished" });
  stop.abort(STOP);
  expect((await driving).status).toBe("running");
  expect(await store.getRun("run")).toMatchObject({ status: "running", ownerId: null });
  load();
  expect((await resume(workflow)).status).toBe("finished");
});

it("a cancel is heard while a frame waits for code", async () => {
  const { drive, workflow, isWaiting } = neverLoaded({ isAtOnce: false });
  const driving = drive(workflow);
  await isWaiting();
  await cancelRun(workflow, { runId: "run", reason: "enough" });
  expect((await driving).status).toBe("cancelled");
});

it("a run that is given up before its first frame can be drawn is not begun", async () => {
  const { drive, workflow, isWaiting, rowCount } = neverLoaded({ isAtOnce: true });
  const stop = new AbortController();
  const driving = drive(workflow, { signal: stop.signal });
  await isWaiting();
  stop.abort(STOP);
  await expect(driving).rejects.toBe(STOP);
  expect(rowCount()).toBe(0);
});

it.each([
  { what: "stop", reason: STOP, status: "waiting-approval" },
  { what: "cancel", reason: new Error("enough"), status: "cancelled" },
])("a $what is heard while the first frame of a resume waits for code", async ({ reason, status }) => {
  const scene = openScene({ step: z.object({ n: z.number() }) });
  const { Workflow, Task, outputs, service } = scene.api;
  let late: ReactNode = null;
  const workflow = service(() => (
    <Workflow name="loads">
      <Task id="asked" output={outputs.step} needsApproval>
        {{ n: 1 }}
      </Task>
      <Suspense>{late}</Suspense>
    </Workflow>
  ));
  await scene.run(workflow);
  const Never = lazy((): Promise<{ default: () => ReactNode }> => new Promise(() => {}));
  late = <Never />;
  const stop = new AbortController();
  const driving = scene.drive(workflow, { resume: true, signal: stop.signal });
  await expect.poll(isFrameAwaited).toBe(true);
  stop.abort(reason);
  expect((await driving).status).toBe(status);
  expect(await scene.store.getRun("run")).toMatchObject({ status, ownerId: null });
});
