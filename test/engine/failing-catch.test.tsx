import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Sequence, TryCatchFinally, Task, Timer, service, outputs } = createService({
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
const throwing = () => {
  throw new Error("second");
};
const states = async (test: ReturnType<typeof testWorkflow>) =>
  Object.fromEntries((await test.tasks()).map(({ nodeId, state }) => [nodeId, state]));

it("a catch function that throws fails the block after its finally part", async () => {
  const test = testWorkflow(
    service(() => (
      <Workflow name="w">
        <Sequence>
          <TryCatchFinally
            try={failing}
            catch={throwing}
            finally={
              <Sequence>
                <Timer id="rest" duration="1h" />
                {step("close")}
              </Sequence>
            }
          />
          {step("after")}
        </Sequence>
      </Workflow>
    )),
  );
  expect((await test.run()).status).toBe("waiting-timer");
  const { status, error } = await test.advance("1h");
  expect([status, error?.message, error?.code]).toEqual(["failed", "second", "TASK_FAILED"]);
  expect(error?.cause).toMatchObject({ message: "first" });
  expect(await states(test)).toMatchObject({ fail: "failed", rest: "finished", close: "finished" });
});

it("what a catch function throws is a failure like any other for the block around", async () => {
  const test = testWorkflow(
    service(() => (
      <Workflow name="w">
        <Sequence>
          <TryCatchFinally
            id="outer"
            try={<TryCatchFinally id="inner" try={failing} catch={throwing} />}
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
