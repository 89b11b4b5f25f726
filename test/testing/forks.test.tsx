import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, it } from "vitest";
import { z } from "zod";

function release() {
  const { Workflow, Sequence, Task, Approval, service, outputs } = createService(
    {
      input: z.object({ version: z.string() }),
      text: z.object({ text: z.string() }),
      decision: z.object({ approved: z.boolean() }),
    },
    { dbPath: ":memory:" },
  );
  return service((ctx) => (
    <Workflow name="release">
      <Sequence>
        <Task
          id="notes"
          output={outputs.text}
          agent={{ generate: () => Promise.reject(new Error("no mock")) }}
        >
          write
        </Task>
        <Approval id="ship" output={outputs.decision} request={{ title: "Ship?" }} />
        <Task id="publish" output={outputs.text}>
          {() => ({ text: ctx.input.version })}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

const statesOf = async (test: ReturnType<typeof testWorkflow>) =>
  (await test.tasks()).map(({ nodeId, state, attempts }) => `${nodeId} ${state} ${attempts}`);

it("a fork of a run under test is a test of its own: it keeps what was done, and leaves the other as it is", async () => {
  const test = testWorkflow(release(), {
    input: { version: "1" },
    agents: { notes: { text: "new" } },
  });
  await test.run();
  const fork = await test.fork({ input: { version: "2" } });
  await test.approve("ship");
  expect(test.result).toMatchObject({ status: "finished" });
  const before = await statesOf(test);

  expect(fork.runId).not.toBe(test.runId);
  expect(await fork.resume()).toMatchObject({ status: "waiting-approval" });
  // What the mock answered is kept.
  expect(fork.calls).toEqual([]);
  await fork.advance("1d");
  await fork.approve("ship");
  expect(fork.result).toMatchObject({ runId: fork.runId, status: "finished" });
  const published = (await fork.tasks()).find(({ nodeId }) => nodeId === "publish");
  expect(published).toMatchObject({ state: "finished", output: { text: "2" } });
  expect(await statesOf(test)).toEqual(before);
  expect(fork.clock).toBe(test.clock);
});

it("a fork of a frame that there is not is refused", async () => {
  const test = testWorkflow(release(), { input: { version: "1" }, agents: { notes: { text: "new" } } });
  await test.run();
  await expect(test.fork({ frameNo: 99 })).rejects.toMatchObject({ code: "SNAPSHOT_NOT_FOUND" });
});
