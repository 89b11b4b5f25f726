import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, DriftDetector, Loop, Task, service, outputs } = createService({
  state: z.object({ replicas: z.int() }),
  drift: z.object({ drifted: z.boolean(), significance: z.string() }),
  loose: z.looseObject({}),
  output: z.object({ paged: z.boolean() }),
});

const agent = { id: "agent", generate: async () => ({}) };
const same = { drifted: false, significance: "none" };
const drifted = { drifted: true, significance: "high" };
const alert = (
  <Task id="page" output={outputs.output}>
    {{ paged: true }}
  </Task>
);
const base = {
  id: "d",
  captureAgent: agent,
  compareAgent: agent,
  captureOutput: outputs.state,
  baseline: { replicas: 3 },
  alert,
};

const detector = (props: { poll?: { intervalMs?: number; maxPolls?: number }; baseline?: unknown } = {}) =>
  service(() => (
    <Workflow name="drift">
      <DriftDetector {...base} compareOutput={outputs.drift} {...props}>
        Count the replicas.
      </DriftDetector>
    </Workflow>
  ));

describe("a DriftDetector", () => {
  it("compares what it captured with the baseline, and raises the alert", async () => {
    const run = testWorkflow(detector(), { agents: { "d-capture": { replicas: 2 }, "d-compare": drifted } });
    expect((await run.run()).output).toEqual({ paged: true });
    expect(run.prompt("d-capture")).toBe("Count the replicas.");
    expect(run.prompt("d-compare")).toContain('"replicas": 3');
    expect(run.prompt("d-compare")).toContain('"replicas": 2');
  });

  it("stays quiet without a drift, and asks a function for the baseline", async () => {
    const run = testWorkflow(detector({ baseline: async () => ({ replicas: 5 }) }), {
      agents: { "d-capture": { replicas: 5 }, "d-compare": same },
    });
    await run.run();
    expect((await run.tasks()).map(({ nodeId }) => nodeId)).toEqual(["d-capture", "d-compare"]);
    expect(run.prompt("d-compare")).toContain('"replicas": 5');
  });

  it("polls at the interval, up to the first drift", async () => {
    const run = testWorkflow(detector({ poll: { intervalMs: 600_000, maxPolls: 10 } }), {
      agents: { "d-capture": { replicas: 3 }, "d-compare": [same, same, drifted] },
    });
    expect((await run.run()).status).toBe("waiting-timer");
    expect(run.calls).toHaveLength(2);
    expect((await run.advance(599_999)).status).toBe("waiting-timer");
    expect(run.calls).toHaveLength(2);
    await run.advance(1);
    expect(run.calls).toHaveLength(4);
    expect((await run.advance("10m")).output).toEqual({ paged: true });
    expect(run.calls).toHaveLength(6);
  });

  it("gives up quietly after maxPolls", async () => {
    const run = testWorkflow(detector({ poll: { maxPolls: 2 } }), {
      agents: { "d-capture": { replicas: 3 }, "d-compare": same },
    });
    await run.run();
    expect(await run.advance("1m")).toMatchObject({ status: "finished", exhaustedLoops: ["d-poll"] });
    expect((await run.tasks()).some(({ nodeId }) => nodeId === "page")).toBe(false);
  });

  it("lets alertIf decide", async () => {
    const run = testWorkflow(
      service(() => (
        <Workflow name="drift">
          <DriftDetector {...base} compareOutput={outputs.state} alertIf={({ replicas }) => replicas > 1} />
        </Workflow>
      )),
      { agents: { "d-capture": { replicas: 5 }, "d-compare": { replicas: 2 } } },
    );
    expect((await run.run()).output).toEqual({ paged: true });
  });

  it("starts anew in each iteration of a loop around it", async () => {
    const run = testWorkflow(
      service(() => (
        <Workflow name="twice">
          <Loop id="outer" maxIterations={2}>
            <DriftDetector {...base} compareOutput={outputs.drift} />
          </Loop>
        </Workflow>
      )),
      { agents: { "d-capture": { replicas: 3 }, "d-compare": [drifted, same] } },
    );
    await run.run();
    const tasks = (await run.tasks()).map(
      ({ nodeId, iteration, state }) => `${nodeId} ${iteration} ${state}`,
    );
    expect(tasks.sort()).toEqual(
      ["d-capture 0", "d-capture 1", "d-compare 0", "d-compare 1", "page 0"].map((key) => `${key} finished`),
    );
  });

  it("fails clearly when a comparison does not say whether there is a drift", async () => {
    const run = testWorkflow(
      service(() => (
        <Workflow name="drift">
          <DriftDetector {...base} compareOutput={"loose" as never} />
        </Workflow>
      )),
      { agents: { "d-capture": { replicas: 5 }, "d-compare": { verdict: "fine" } } },
    );
    await run.run();
    expect(run.result.error).toMatchObject({
      code: "INVALID_OUTPUT",
      message: expect.stringContaining("drifted: expected true or false"),
    });
  });

  it.each([
    [{ poll: { intervalMs: 0 } }, "poll.intervalMs={0}"],
    [{ poll: { maxPolls: 1.5 } }, "poll.maxPolls={1.5}"],
    [
      { poll: { interval: 5 } as never },
      'poll={an object}; expected an object {intervalMs?, maxPolls?}, and no field "interval"',
    ],
    [{ baseline: undefined }, "baseline={undefined}"],
  ])("refuses %j in the first frame", async (props, message) => {
    await expect(testWorkflow(detector(props)).run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(message),
    });
  });
});
