import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, explainRun, ServiceError } from "../../../src/index.js";
import { openScene, type Scene } from "../../support/engine/scene.js";
import { type Line, scriptedAgent } from "../../support/engine/scripted-agent.js";

const schemas = { verdict: z.object({ score: z.number() }) };
const GOOD = { score: 4 };
const HOUR = 3_600_000;

function exhausted(agentId: string, resetAtMs?: number) {
  return new ServiceError("AGENT_QUOTA_EXCEEDED", `${agentId} has no quota left.`, {
    details: { agentId, ...(resetAtMs !== undefined && { resetAtMs }) },
  });
}

function rating(scene: Scene<typeof schemas>, agent: AgentLike | AgentLike[], retries = 0) {
  const { Workflow, Task, outputs, service } = scene.api;
  return service(() => (
    <Workflow name="rating">
      <Task id="rate" output={outputs.verdict} agent={agent} retries={retries} retryPolicy={{}}>
        Rate the book.
      </Task>
    </Workflow>
  ));
}

describe("an agent out of quota", () => {
  it("is passed over for the next of the chain, in the same attempt", async () => {
    const scene = openScene(schemas);
    const first = scriptedAgent("first", [exhausted("first", Date.now() + HOUR)]);
    const second = scriptedAgent("second", [GOOD]);
    const result = await scene.run(rating(scene, [first, second]));
    expect(result.status).toBe("finished");
    expect(await scene.attempts("rate")).toMatchObject([
      { attempt: 1, state: "finished", meta: { agentId: "second" } },
    ]);
  });

  it("is also passed over when its start-up check says so", async () => {
    const scene = openScene(schemas);
    const first = scriptedAgent("first", [GOOD], { preflight: () => Promise.reject(exhausted("first")) });
    const second = scriptedAgent("second", [GOOD]);
    expect((await scene.run(rating(scene, [first, second]))).status).toBe("finished");
    expect(first.questions).toHaveLength(0);
  });
});

/** As an agent of one's own throws it, which knows the codes but not the library's class. */
function ownError(code: string): Error {
  return Object.assign(new Error("usage limit reached"), { code });
}

describe("an agent of one's own that says by a code that another one is to be asked", () => {
  it.each([
    ["AGENT_QUOTA_EXCEEDED", "generate"],
    ["AGENT_REFUSED", "generate"],
    ["AGENT_QUOTA_EXCEEDED", "preflight"],
  ])("%s from %s: is passed over", async (code, method) => {
    const scene = openScene(schemas);
    const fails = () => Promise.reject(ownError(code));
    const first = scriptedAgent("first", [GOOD], method === "preflight" ? { preflight: fails } : {});
    if (method === "generate") Object.assign(first, { generate: fails });
    const second = scriptedAgent("second", [GOOD]);
    expect((await scene.run(rating(scene, [first, second]))).status).toBe("finished");
    expect(second.questions).toHaveLength(1);
  });

  it("is named where the run waits for its quota", async () => {
    const scene = openScene(schemas);
    const workflow = rating(scene, {
      id: "own",
      generate: () => Promise.reject(ownError("AGENT_QUOTA_EXCEEDED")),
    });
    expect((await scene.run(workflow)).status).toBe("waiting-quota");
    const { blockers } = await explainRun(workflow, "run");
    expect(blockers).toMatchObject([
      { kind: "quota", summary: "rate waits for the quota of agent own to reset." },
    ]);
  });
});

describe("a chain whose agents are all out of quota", () => {
  it("is asked the same again after the reset: nothing has failed", async () => {
    const scene = openScene(schemas);
    const start = scene.time.now();
    const agent = scriptedAgent("only", [exhausted("only", start + HOUR), GOOD]);
    const workflow = rating(scene, agent);
    await scene.run(workflow);
    await scene.time.advance(HOUR);
    expect((await scene.resume(workflow)).status).toBe("finished");
    const [before, after] = agent.questions.map(({ prompt }) => prompt);
    expect(after).toBe(before);
  });

  it("makes the run wait for the earliest reset, without a failure", async () => {
    const scene = openScene(schemas);
    const start = scene.time.now();
    const workflow = rating(scene, [
      scriptedAgent("late", [exhausted("late", start + 3 * HOUR)]),
      scriptedAgent("early", [exhausted("early", start + HOUR)]),
    ]);
    expect(await scene.run(workflow)).toEqual({ runId: "run", status: "waiting-quota" });
    expect(await scene.node("rate")).toMatchObject({
      state: "waiting-quota",
      dueAtMs: start + HOUR,
      failures: 0,
    });
    expect(await scene.events("NodeWaitingQuota")).toMatchObject([
      { nodeId: "rate", agentId: "early", resetAtMs: start + HOUR },
    ]);
    expect((await explainRun(workflow, "run")).blockers).toMatchObject([
      { kind: "quota", nodeId: "rate", untilMs: start + HOUR },
    ]);
  });

  it("continues by itself when the run is resumed after the reset, from the first agent on", async () => {
    const scene = openScene(schemas);
    const start = scene.time.now();
    const first = scriptedAgent("first", [exhausted("first", start + HOUR), GOOD]);
    const second = scriptedAgent("second", [exhausted("second", start + 2 * HOUR)]);
    const workflow = rating(scene, [first, second]);
    await scene.run(workflow);
    await scene.time.sleepThrough(HOUR);
    expect((await scene.resume(workflow)).status).toBe("finished");
    expect(first.questions).toHaveLength(2);
    expect(second.questions).toHaveLength(1);
    expect(await scene.node("rate")).toMatchObject({ state: "finished", failures: 0 });
  });

  it("continues waiting when the run is resumed before the reset, and asks no agent", async () => {
    const scene = openScene(schemas);
    const start = scene.time.now();
    const agent = scriptedAgent("only", [exhausted("only", start + HOUR), GOOD]);
    const workflow = rating(scene, agent);
    await scene.run(workflow);
    await scene.time.sleepThrough(HOUR / 2);
    expect((await scene.resume(workflow)).status).toBe("waiting-quota");
    expect(agent.questions).toHaveLength(1);
    expect((await scene.node("rate"))?.dueAtMs).toBe(start + HOUR);
  });

  it("is waited for while other tasks keep the run going", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = scene.api;
    const agent = scriptedAgent("only", [exhausted("only", scene.time.now() + 60_000), GOOD]);
    const result = await scene.run(
      service(() => (
        <Workflow name="both">
          <Parallel>
            <Task id="rate" output={outputs.verdict} agent={agent}>
              Rate.
            </Task>
            <Task id="long" output={outputs.verdict}>
              {async () => {
                await scene.time.pause(120_000);
                return GOOD;
              }}
            </Task>
          </Parallel>
        </Workflow>
      )),
    );
    expect(result.status).toBe("finished");
    const ends = (await scene.events("NodeFinished")).map(({ nodeId }) => nodeId);
    expect(ends).toEqual(["rate", "long"]);
  });

  it("without a reset time is asked again after a minute", async () => {
    const scene = openScene(schemas);
    const workflow = rating(scene, scriptedAgent("only", [exhausted("only"), GOOD]));
    const start = scene.time.now();
    expect((await scene.run(workflow)).status).toBe("waiting-quota");
    expect((await scene.node("rate"))?.dueAtMs).toBe(start + 60_000);
  });

  it("with a reset time in the past does not spin", async () => {
    const scene = openScene(schemas);
    const agent = scriptedAgent("only", [exhausted("only", scene.time.now() - HOUR)]);
    expect((await scene.run(rating(scene, agent))).status).toBe("waiting-quota");
    expect(agent.questions).toHaveLength(1);
  });

  it.each([
    ["a fraction", 0.5, (start: number) => start + HOUR + 1],
    ["a moment that no clock shows", 1e23, (start: number) => start + 60_000],
    ["thousands of years from now", 1.7e15, (start: number) => start + 60_000],
  ])("with a reset time that is %s waits for a moment that can come", async (_what, more, expected) => {
    const scene = openScene(schemas);
    const start = scene.time.now();
    const agent = scriptedAgent("only", [exhausted("only", start + HOUR + more)]);
    expect((await scene.run(rating(scene, agent))).status).toBe("waiting-quota");
    expect((await scene.node("rate"))?.dueAtMs).toBe(expected(start));
  });

  it("consumes no attempt: the chain is walked from where it was, and retries are left", async () => {
    const scene = openScene(schemas);
    const lines: Line[] = [
      exhausted("first", scene.time.now() + HOUR),
      new Error("asleep"),
      exhausted("first", scene.time.now() + 3 * HOUR),
      GOOD,
    ];
    const first = scriptedAgent("first", lines);
    const workflow = rating(scene, first, 1);
    expect((await scene.run(workflow)).status).toBe("waiting-quota");
    await scene.time.sleepThrough(HOUR);
    expect((await scene.resume(workflow)).status).toBe("waiting-quota");
    await scene.time.sleepThrough(3 * HOUR);
    expect((await scene.resume(workflow)).status).toBe("finished");
    expect(first.questions).toHaveLength(4);
  });

  it("leaves the first agent the first to be asked after the reset", async () => {
    const scene = openScene(schemas);
    const first = scriptedAgent("first", [exhausted("first", scene.time.now() + HOUR), GOOD]);
    const second = scriptedAgent("second", [exhausted("second", scene.time.now() + HOUR), { score: 1 }]);
    const workflow = rating(scene, [first, second]);
    await scene.run(workflow);
    await scene.time.sleepThrough(HOUR);
    await scene.resume(workflow);
    expect(await scene.store.getOutput("run", "verdict", "rate", 0)).toEqual(GOOD);
  });
});
