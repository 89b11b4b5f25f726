import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Sequence, TryCatchFinally, Saga, Task, Timer, service, outputs, useCtx } = createService({
  note: z.object({ text: z.string() }),
});

const step = (id: string) => (
  <Task id={id} output={outputs.note}>
    {{ text: id }}
  </Task>
);
const failing = (
  <Task id="fail" output={outputs.note} retries={0}>
    {() => Promise.reject(new Error("first"))}
  </Task>
);
const close = (
  <Sequence>
    <Timer id="rest" duration="1h" />
    {step("close")}
  </Sequence>
);

/** A component, and a catch function. */
function Broken(): never {
  throw new Error("second");
}

/** Throws until the row exists. */
function Undo({ id }: { id: string }) {
  const { text } = useCtx().output(outputs.note, { nodeId: id });
  return step(`undo-${text}`);
}

const states = async (test: ReturnType<typeof testWorkflow>) =>
  Object.fromEntries((await test.tasks()).map(({ nodeId, state }) => [nodeId, state]));

it.each([
  ["a component inside a catch that is an element", "WORKFLOW_RENDER_FAILED", <Broken />],
  ["a component inside what a catch function makes", "WORKFLOW_RENDER_FAILED", () => <Broken />],
  ["a catch function", "TASK_FAILED", Broken],
])("%s fails the block after its finally part", async (_, code, handler) => {
  const test = testWorkflow(
    service(() => (
      <Workflow name="w">
        <Sequence>
          <TryCatchFinally try={failing} catch={handler} finally={close} />
          {step("after")}
        </Sequence>
      </Workflow>
    )),
  );
  expect((await test.run()).status).toBe("waiting-timer");
  const { status, error } = await test.advance("1h");
  expect([status, error?.message, error?.code]).toEqual(["failed", "second", code]);
  expect(error?.cause).toMatchObject({ message: "first" });
  expect(await states(test)).toMatchObject({ fail: "failed", rest: "finished", close: "finished" });
});

it("a catch that throws as soon as its first task has ended fails the block, too", async () => {
  function Late() {
    if (useCtx().outputMaybe(outputs.note, { nodeId: "one" }) !== undefined) throw new Error("late");
    return (
      <Sequence>
        {step("one")}
        {step("two")}
      </Sequence>
    );
  }
  const test = testWorkflow(
    service(() => (
      <Workflow name="w">
        <TryCatchFinally try={failing} catch={<Late />} finally={step("close")} />
      </Workflow>
    )),
  );
  const { status, error } = await test.run();
  expect([status, error?.message]).toEqual(["failed", "late"]);
  expect(await states(test)).toMatchObject({ one: "finished", close: "finished" });
  expect(await states(test)).not.toMatchObject({ two: "finished" });
});

it("a catch that is not needed may throw", async () => {
  const test = testWorkflow(
    service(() => (
      <Workflow name="w">
        <TryCatchFinally try={step("do")} catch={<Broken />} finally={step("close")} />
      </Workflow>
    )),
  );
  expect((await test.run()).status).toBe("finished");
  expect(await states(test)).toEqual({ do: "finished", close: "finished" });
});

it.each([
  ["a component in an inner one", <Broken />],
  ["an inner one itself", Broken],
])("an outer catch handles what %s throws", async (_, handler) => {
  const test = testWorkflow(
    service(() => (
      <Workflow name="w">
        <Sequence>
          <TryCatchFinally
            id="outer"
            try={<TryCatchFinally id="inner" try={failing} catch={handler} />}
            catch={({ message }) => step(message)}
          />
          {step("after")}
        </Sequence>
      </Workflow>
    )),
  );
  expect((await test.run()).status).toBe("finished");
  expect(await states(test)).toEqual({ fail: "failed", second: "finished", after: "finished" });
});

const saga = (compensation: React.ReactNode) =>
  testWorkflow(
    service(() => (
      <Workflow name="w">
        <TryCatchFinally
          try={
            <Saga
              steps={[
                { id: "1", action: step("one"), compensation: step("undo-one") },
                { id: "2", action: step("two"), compensation },
                { id: "3", action: failing, compensation: step("undo-three") },
              ]}
            />
          }
          finally={step("close")}
        />
      </Workflow>
    )),
  );

it("a component inside a compensation that throws fails the saga, and the others still run", async () => {
  const test = saga(<Broken />);
  const { status, error } = await test.run();
  expect([status, error?.message, error?.code]).toEqual(["failed", "second", "WORKFLOW_RENDER_FAILED"]);
  expect(error?.cause).toMatchObject({ message: "first" });
  expect(await states(test)).toMatchObject({ "undo-one": "finished", close: "finished" });
});

it("a compensation may read what its action has written", async () => {
  const test = saga(<Undo id="two" />);
  expect((await test.run()).status).toBe("finished");
  expect(await states(test)).toMatchObject({ "undo-two": "finished", "undo-one": "finished" });
});
