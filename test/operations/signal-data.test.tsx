import { expect, test } from "vitest";
import { z } from "zod";
import { signalRun } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  num: z.object({ n: z.number() }),
  text: z.object({ t: z.string() }),
  any: z.looseObject({}),
};

test("of several waiters the one that will take the signal decides whether its data is good", async () => {
  const { api, run, store } = openScene(schemas);
  const { Workflow, Parallel, WaitForEvent, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="two">
      <Parallel>
        <WaitForEvent id="z-first" event="news" output={outputs.num} />
        <WaitForEvent id="a-second" event="news" output={outputs.text} />
      </Parallel>
    </Workflow>
  ));
  await run(workflow);
  const send = (data: unknown) => signalRun(workflow, { runId: "run", signal: "news", data });
  await expect(send({ t: "x" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { nodeId: "z-first" },
  });
  await send({ n: 1 });
  await run(workflow, { runId: "run", resume: true });
  expect(await store.getOutput("run", "num", "z-first", 0)).toEqual({ n: 1 });
  await send({ t: "x" });
  expect((await run(workflow, { runId: "run", resume: true })).status).toBe("finished");
});

test("data that only the element's own schema describes is taken", async () => {
  const { api, run, store } = openScene(schemas);
  const { Workflow, WaitForEvent, outputs, service } = api;
  const own = z.object({ t: z.coerce.string() });
  const workflow = service(() => (
    <Workflow name="own">
      <WaitForEvent id="e" event="news" output={outputs.text} outputSchema={own} />
    </Workflow>
  ));
  await run(workflow);
  await signalRun(workflow, { runId: "run", signal: "news", data: { t: 7 } });
  expect((await run(workflow, { runId: "run", resume: true })).status).toBe("finished");
  expect(await store.getOutput("run", "text", "e", 0)).toEqual({ t: "7" });
});

test("data that the element's own schema refuses is not kept, and the node waits on", async () => {
  const { api, run, store } = openScene(schemas);
  const { Workflow, Loop, WaitForEvent, outputs, service } = api;
  const workflow = service((ctx) => (
    <Workflow name="own">
      <Loop id="rounds" maxIterations={2}>
        <WaitForEvent
          id="e"
          event="news"
          output={outputs.text}
          outputSchema={z.object({ t: z.string().min(ctx.iteration === 0 ? 3 : 5) })}
        />
      </Loop>
    </Workflow>
  ));
  await run(workflow);
  const send = (t: string) => signalRun(workflow, { runId: "run", signal: "news", data: { t } });
  const refused = { code: "INVALID_INPUT", details: { nodeId: "e" } };
  await expect(send("ab")).rejects.toMatchObject(refused);
  await send("abc");
  await run(workflow, { runId: "run", resume: true });
  await expect(send("abcd")).rejects.toMatchObject(refused);
  await send("abcde");
  expect((await run(workflow, { runId: "run", resume: true })).status).toBe("finished");
  expect(await store.listOutputs("run", "text")).toEqual([{ t: "abc" }, { t: "abcde" }]);
});

test("a wait that has timed out takes no signal, though its node has no room to continue yet", async () => {
  const { api, drive, time, node, store } = openScene(schemas);
  const { Workflow, Parallel, Task, WaitForEvent, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="late">
      <Parallel>
        <Task id="long" output={outputs.any}>
          {() => new Promise<Record<string, unknown>>((resolve) => time.setDelay(10_000, () => resolve({})))}
        </Task>
        <WaitForEvent id="e" event="news" output={outputs.num} timeoutMs={1_000} onTimeout="continue" />
      </Parallel>
    </Workflow>
  ));
  const driven = drive(workflow, { maxConcurrency: 1 });
  await time.advance(500);
  const send = (data: unknown) =>
    signalRun(workflow, { runId: "run", signal: "news", data }, { dryRun: true });
  await expect(send({ n: "?" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  expect(await store.deliveries.awaiting("news", null)).toEqual(["run"]);
  await time.advance(1_000);
  expect(await node("e")).toMatchObject({ state: "waiting-event", wait: { timedOut: true } });
  expect(await send({ n: "?" })).toMatchObject({ isEarly: true });
  expect(await store.deliveries.awaiting("news", null)).toEqual([]);
  await time.until(driven);
});
