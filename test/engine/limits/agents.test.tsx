import { expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";
import { scriptedAgent } from "../../support/engine/scripted-agent.js";

const limits = { "model-x": { concurrency: 1 }, "model-y": { concurrency: 1 } };
const outOfQuota = (resetAtMs: number) =>
  new ServiceError("AGENT_QUOTA_EXCEEDED", "Out of quota.", { details: { resetAtMs } });

it("makes the tasks of an agent wait for the agent's limit, in all runs", async () => {
  const scene = openScene({ row: z.object({ n: z.number() }) }, { limits });
  const { Workflow, Task, Parallel, outputs, service } = scene.api;
  let busy = 0;
  let most = 0;
  const agent = {
    ...scriptedAgent("writer", [
      async () => {
        busy += 1;
        most = Math.max(most, busy);
        await scene.time.pause(1_000);
        busy -= 1;
        return { output: { n: 1 } };
      },
    ]),
    limit: "model-x",
  };
  const flow = service(() => (
    <Workflow name="asking">
      <Parallel>
        {["a", "b"].map((id) => (
          <Task key={id} id={id} output={outputs.row} agent={agent}>
            Write.
          </Task>
        ))}
      </Parallel>
    </Workflow>
  ));
  const runs = ["one", "two"].map((runId) => scene.drive(flow, { runId }));
  const results = await scene.time.until(Promise.all(runs));
  expect(results.map(({ status }) => status)).toEqual(["finished", "finished"]);
  expect(most).toBe(1);
});

it("asks for a slot of the next agent's limit when the first is out of quota, and uses no retry", async () => {
  const scene = openScene({ row: z.object({ n: z.number() }) }, { limits });
  const { Workflow, Task, outputs, service } = scene.api;
  const first = { ...scriptedAgent("first", [outOfQuota(scene.time.now() + 3_600_000)]), limit: "model-x" };
  const second = { ...scriptedAgent("second", [{ output: { n: 2 } }]), limit: "model-y" };
  const flow = service(() => (
    <Workflow name="chain">
      <Task id="a" output={outputs.row} agent={[first, second]} retries={0}>
        Write.
      </Task>
    </Workflow>
  ));
  expect(await scene.run(flow)).toMatchObject({ status: "finished" });
  expect((await scene.attempts("a")).map(({ state }) => state)).toEqual(["interrupted", "finished"]);
  expect([first.questions.length, second.questions.length]).toEqual([1, 1]);
});

it("parks for the earliest reset of the chain, also of an agent that an earlier attempt had asked", async () => {
  const scene = openScene({ row: z.object({ n: z.number() }) }, { limits });
  const { Workflow, Task, outputs, service } = scene.api;
  const soon = scene.time.now() + 60_000;
  const first = { ...scriptedAgent("first", [outOfQuota(soon), { output: { n: 1 } }]), limit: "model-x" };
  const second = { ...scriptedAgent("second", [outOfQuota(soon + 3_600_000)]), limit: "model-y" };
  const flow = service(() => (
    <Workflow name="blocked">
      <Task id="a" output={outputs.row} agent={[first, second]}>
        Write.
      </Task>
    </Workflow>
  ));
  expect(await scene.drive(flow)).toMatchObject({ status: "waiting-quota" });
  expect(await scene.node("a")).toMatchObject({ state: "waiting-quota", dueAtMs: soon });
  await scene.time.advance(60_001);
  expect(await scene.resume(flow)).toMatchObject({ status: "finished" });
  expect(second.questions).toHaveLength(1);
});
