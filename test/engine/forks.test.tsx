import type { ReactNode } from "react";
import {
  type AgentCapabilityRegistry,
  type AgentGenerateOptions,
  type AgentLike,
  createService,
} from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Sequence, Parallel, Task, Loop, service, outputs } = createService({
  note: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
});

type Call = Pick<AgentGenerateOptions, "prompt" | "messages" | "resumeSession">;

/** Gives every call a session of its own and notes what it was resumed with. */
function sessionAgent(calls: Call[], id = "sessions") {
  return {
    id,
    async generate({ prompt, resumeSession }: AgentGenerateOptions = {}) {
      calls.push({ prompt: prompt?.split("\n")[0], resumeSession });
      return { output: { text: "done" }, sessionId: `s${calls.length}` };
    },
  };
}

/** Has no sessions: it is continued with the messages of its conversation. */
function talkingAgent(calls: Call[], answer = "I said so") {
  return {
    id: "talker",
    async generate({ prompt, messages }: AgentGenerateOptions = {}) {
      calls.push({ prompt: prompt?.split("\n")[0], messages });
      return {
        output: { text: "done" },
        response: { messages: [{ role: "assistant", content: answer }] },
      };
    },
  };
}

const workflowOf = (tree: ReactNode) => service(() => <Workflow name="forks">{tree}</Workflow>);

const planBy = (agent: AgentLike) => (
  <Task id="plan" output={outputs.note} agent={agent}>
    Plan
  </Task>
);

const forkBy = (agent: AgentLike) => (
  <Task id="fork" output={outputs.output} agent={agent} fork="plan">
    Continue
  </Task>
);

const failure = async (tree: ReactNode) => {
  const run = testWorkflow(workflowOf(tree));
  const { status, error } = await run.run();
  expect(status).toBe("failed");
  const attempts = (await run.tasks()).find(({ nodeId }) => nodeId === "fork")?.attempts;
  return { code: error?.code, message: error?.message, attempts };
};

describe("a task that forks", () => {
  it("starts from the final session of its source, after it, though both stand in parallel", async () => {
    const calls: Call[] = [];
    const agent = sessionAgent(calls);
    const run = testWorkflow(
      workflowOf(
        <Parallel>
          {forkBy(agent)}
          {planBy(agent)}
        </Parallel>,
      ),
    );
    await run.run();
    expect(run.result.status).toBe("finished");
    expect(calls).toEqual([
      { prompt: "Plan", resumeSession: undefined },
      { prompt: "Continue", resumeSession: "s1" },
    ]);
  });

  it("continues with the conversation of an agent that has no sessions, also after a crash in between", async () => {
    const calls: Call[] = [];
    const agent = talkingAgent(calls);
    const run = testWorkflow(
      workflowOf(
        <Sequence>
          {planBy(agent)}
          {forkBy(agent)}
        </Sequence>,
      ),
    );
    await run.run({ commit: 2, when: "after" });
    await run.resume();
    expect(run.result.status).toBe("finished");
    const messages = calls.at(-1)?.messages as { role: string; content: string }[];
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(messages[0]?.content).toMatch(/^Plan/);
    expect(messages[1]?.content).toBe("I said so");
    expect(calls.at(-1)?.prompt).toMatch(/^Continue/);
  });

  it("inside a loop forks from the same round", async () => {
    const calls: Call[] = [];
    const agent = sessionAgent(calls);
    const run = testWorkflow(
      workflowOf(
        <Loop id="rounds" until={false} maxIterations={2}>
          <Sequence>
            {planBy(agent)}
            {forkBy(agent)}
          </Sequence>
        </Loop>,
      ),
    );
    await run.run();
    expect(calls.map(({ resumeSession }) => resumeSession)).toEqual([undefined, "s1", undefined, "s3"]);
  });

  it("has a session to fork from although everything is cached", async () => {
    const calls: Call[] = [];
    const agent = sessionAgent(calls);
    const cached = service(
      () => (
        <Workflow name="forks">
          <Loop id="rounds" until={false} maxIterations={2}>
            <Sequence>
              <Task id="plan" output={outputs.note} agent={agent} cache={{ version: "1" }}>
                Plan
              </Task>
              {forkBy(agent)}
            </Sequence>
          </Loop>
        </Workflow>
      ),
      { cache: true },
    );
    const run = testWorkflow(cached);
    await run.run();
    expect(run.result.status).toBe("finished");
    expect(calls).toHaveLength(4);
  });

  it("forks from the source again when it is tried again", async () => {
    const calls: Call[] = [];
    const agent = sessionAgent(calls);
    const flaky = {
      ...agent,
      async generate(args: AgentGenerateOptions = {}) {
        const answer = await agent.generate(args);
        if (args.retryAttempt === 0) throw new Error("lost the connection");
        return answer;
      },
    };
    const run = testWorkflow(
      workflowOf(
        <Sequence>
          {planBy(agent)}
          {forkBy(flaky)}
        </Sequence>,
      ),
    );
    await run.run();
    await run.advance("1m");
    expect(run.result.status).toBe("finished");
    expect(calls.map(({ resumeSession }) => resumeSession)).toEqual([undefined, "s1", "s1"]);
  });
});

describe("a fork that cannot be fails at once, without another attempt:", () => {
  const agent = sessionAgent([]);
  const fork = forkBy(agent);

  it("its source is no task of the run", async () => {
    expect(await failure(fork)).toMatchObject({
      code: "TASK_FORK_SOURCE_NOT_FOUND",
      message: expect.stringContaining("Task fork forks from plan"),
      attempts: 0,
    });
  });

  it("its source is a task of another name, which the error says", async () => {
    const planned = (
      <Task id="plans" output={outputs.note} agent={agent}>
        Plan
      </Task>
    );
    expect(
      await failure(
        <>
          {planned}
          {fork}
        </>,
      ),
    ).toMatchObject({
      code: "TASK_FORK_SOURCE_NOT_FOUND",
      message: expect.stringContaining("no task of this run has that id; did you mean plans?"),
    });
  });

  it("its source was skipped", async () => {
    const skipped = (
      <Task id="plan" output={outputs.note} agent={agent} skipIf>
        Plan
      </Task>
    );
    expect(
      await failure(
        <Sequence>
          {skipped}
          {fork}
        </Sequence>,
      ),
    ).toMatchObject({
      code: "TASK_FORK_SOURCE_NOT_COMPLETE",
      message: expect.stringContaining("which is skipped"),
      attempts: 1,
    });
  });

  it("its source failed and that was tolerated", async () => {
    const broken = {
      generate: async () => {
        throw new Error("no");
      },
    };
    expect(
      await failure(
        <Sequence>
          <Task id="plan" output={outputs.note} agent={broken} retries={0} continueOnFail>
            Plan
          </Task>
          {fork}
        </Sequence>,
      ),
    ).toMatchObject({
      code: "TASK_FORK_SOURCE_NOT_COMPLETE",
      message: expect.stringContaining("which is failed"),
      attempts: 1,
    });
  });

  it("its source stands after it", async () => {
    expect(
      await failure(
        <Sequence>
          {fork}
          {planBy(agent)}
        </Sequence>,
      ),
    ).toMatchObject({ code: "TASK_FORK_SOURCE_NOT_COMPLETE", attempts: 0 });
  });

  it("its source has no agent", async () => {
    expect(
      await failure(
        <Sequence>
          <Task id="plan" output={outputs.note}>
            {{ text: "stated" }}
          </Task>
          {fork}
        </Sequence>,
      ),
    ).toMatchObject({
      code: "TASK_FORK_SESSION_UNAVAILABLE",
      message: expect.stringContaining("neither a session nor a conversation"),
      attempts: 1,
    });
  });

  it.each([
    ["at the limit is kept", 1_000_000, "finished"],
    ["above the limit is not kept", 1_000_001, "failed"],
  ])("a conversation %s", async (_name, size, status) => {
    const calls: Call[] = [];
    const ask = async (answer: string) => {
      calls.length = 0;
      const talker = talkingAgent(calls, answer);
      const run = testWorkflow(
        workflowOf(
          <Sequence>
            {planBy(talker)}
            {forkBy(talker)}
          </Sequence>,
        ),
      );
      return run.run();
    };
    await ask("");
    const overhead = JSON.stringify(calls[1]?.messages?.slice(0, 2) ?? []).length;
    const result = await ask("x".repeat(size - overhead));
    expect(result.status).toBe(status);
    if (status === "failed") {
      expect(result.error).toMatchObject({
        code: "TASK_FORK_SESSION_UNAVAILABLE",
        message: expect.stringContaining("1000001 bytes is larger than the 1000000"),
      });
    }
  });

  it("the session belongs to another command-line agent", async () => {
    const capable = (engine: AgentCapabilityRegistry["engine"]) => ({
      ...sessionAgent([]),
      capabilities: {
        version: 1 as const,
        engine,
        runtimeTools: {},
        mcp: { bootstrap: "unsupported" as const, supportsProjectScope: false, supportsUserScope: false },
        skills: { supportsSkills: false, serviceSkillIds: [] },
        humanInteraction: { supportsUiRequests: false, methods: [] },
        builtIns: [],
      },
    });
    const forkWith = (engine: AgentCapabilityRegistry["engine"]) => (
      <Sequence>
        {planBy(capable("codex"))}
        {forkBy(capable(engine))}
      </Sequence>
    );
    expect(await failure(forkWith("claude-code"))).toMatchObject({
      code: "TASK_FORK_SESSION_UNAVAILABLE",
      message: expect.stringContaining("belongs to codex and cannot be resumed by claude-code"),
      attempts: 1,
    });
    expect((await testWorkflow(workflowOf(forkWith("codex"))).run()).status).toBe("finished");
  });

  it("two tasks fork from each other", async () => {
    const { code, message, attempts } = await failure(
      <Parallel>
        {fork}
        <Task id="plan" output={outputs.note} agent={agent} fork="fork">
          Plan
        </Task>
      </Parallel>,
    );
    expect({ code, attempts }).toEqual({ code: "TASK_FORK_CYCLE", attempts: 0 });
    expect(message).toContain("fork ← plan ← fork");
  });

  it("its source depends on it by another task", async () => {
    expect(
      await failure(
        <Parallel>
          {fork}
          <Task id="between" output={outputs.note} dependsOn={["fork"]}>
            {{ text: "x" }}
          </Task>
          <Task id="plan" output={outputs.note} agent={agent} dependsOn={["between"]}>
            Plan
          </Task>
        </Parallel>,
      ),
    ).toMatchObject({ code: "TASK_FORK_CYCLE", attempts: 0 });
  });
});
