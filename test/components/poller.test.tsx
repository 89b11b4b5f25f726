import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import type { PlanNode } from "../../src/model/plan.js";
import { outputs, type Rig, rig, shape, task } from "../support/render-workflow.js";

const { Poller, Workflow } = components;
const check = () => ({ satisfied: true });

describe("a Poller", () => {
  it("checks at once, then after a delay, up to thirty times", () => {
    const flow = rig(() => (
      <Workflow name="w">
        <Poller check={check} checkOutput={outputs.check} />
      </Workflow>
    ));
    const first = flow.render();
    expect(first.plan).toMatchObject({
      id: "poll-loop",
      maxIterations: 30,
      onMaxReached: "fail",
      until: false,
    });
    expect(shape(first.plan)).toEqual(["loop", "poll-loop", "poll-check"]);
    expect(task(first, "poll-check")).toMatchObject({ kind: "compute", computeFn: check });
    flow.setIteration("poll-loop", 1);
    const second = flow.render();
    expect(shape(second.plan)).toEqual(["loop", "poll-loop", ["sequence", "poll-delay", "poll-check"]]);
    expect(task(second, "poll-delay").timerWait).toEqual({ durationMs: 5_000 });
  });

  it("ends when the row says satisfied", () => {
    const flow = rig(() => (
      <Workflow name="w">
        <Poller id="p" check={check} checkOutput="check" />
      </Workflow>
    ));
    const until = () => (flow.render().plan as Extract<PlanNode, { kind: "loop" }>).until;
    flow.setRow("p-check", { satisfied: false });
    expect(until()).toBe(false);
    flow.setRow("p-check", { satisfied: true });
    expect(until()).toBe(true);
  });

  it.each([
    ["fixed", [10, 10, 10, 10]],
    ["linear", [10, 20, 30, 40]],
    ["exponential", [10, 20, 40, 80]],
  ] as const)("waits with %s backoff", (backoff, delays) => {
    const flow = rig(() => (
      <Workflow name="w">
        <Poller id="p" check={check} checkOutput="check" intervalMs={10} backoff={backoff} />
      </Workflow>
    ));
    expect([1, 2, 3, 4].map((iteration) => delayAt(flow, iteration))).toEqual(delays);
  });

  it.each([
    ["intervalMs", { intervalMs: -5 }],
    ["intervalMs", { intervalMs: Number.NaN }],
    ["maxAttempts", { maxAttempts: 0 }],
    ["backoff", { backoff: "exp" as "fixed" }],
  ])("refuses a wrong %s in the first frame, under its own name", (prop, props) => {
    const flow = rig(() => (
      <Workflow name="w">
        <Poller id="p" check={check} checkOutput="check" {...props} />
      </Workflow>
    ));
    expect(() => flow.render()).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        message: expect.stringMatching(new RegExp(`^<Poller id="p"> .*has ${prop}=`)),
      }),
    );
  });

  it("may ask an agent, give up quietly, and be skipped", () => {
    const agent = { generate: async () => "" };
    const flow = rig(() => (
      <Workflow name="w">
        <Poller id="p" check={agent} checkOutput="check" maxAttempts={3} onTimeout="return-last" skipIf>
          Is it <b>there</b>?
        </Poller>
      </Workflow>
    ));
    const frame = flow.render();
    expect(frame.plan).toMatchObject({ maxIterations: 3, onMaxReached: "return-last", skip: true });
    expect(task(frame, "p-check")).toMatchObject({ kind: "agent", prompt: "Is it **there**?", skipIf: true });
  });
});

function delayAt(flow: Rig, iteration: number): number | undefined {
  flow.setIteration("p-loop", iteration);
  return task(flow.render(), "p-delay").timerWait?.durationMs;
}
