import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentGenerateOptions, type AgentLike, ServiceError } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";
import { type Line, scriptedAgent } from "../../support/engine/scripted-agent.js";

const schemas = { verdict: z.object({ title: z.string(), score: z.number() }) };
const GOOD = { title: "fine", score: 4 };

/** Runs one task that asks `agent`, without retries by default. */
async function ask(agent: AgentLike | AgentLike[], options: { retries?: number; fallback?: AgentLike } = {}) {
  const scene = openScene(schemas);
  const { Workflow, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="ask">
      <Task
        id="rate"
        output={outputs.verdict}
        agent={agent}
        retries={options.retries ?? 0}
        retryPolicy={{}}
        timeoutMs={90_000}
        {...(options.fallback && { fallbackAgent: options.fallback })}
      >
        Rate the book.
      </Task>
    </Workflow>
  ));
  const result = await scene.run(workflow);
  const row = await scene.store.getOutput("run", "verdict", "rate", 0);
  return { ...scene, workflow, result, row };
}

describe("an agent with native structured output", () => {
  it("gets the schema, the prompt as it is, and where it works", async () => {
    const agent = scriptedAgent("native", [GOOD]);
    const { row, attempts, api } = await ask(agent);
    expect(row).toEqual(GOOD);
    const [question] = agent.questions;
    expect(question).toMatchObject({
      prompt: "Rate the book.",
      isRetry: false,
      retryAttempt: 0,
      schemaRetry: 0,
      timeout: 90_000,
      taskContext: { runId: "run", nodeId: "rate", iteration: 0, attempt: 1 },
      rootDir: process.cwd(),
    });
    expect(question?.outputSchema).toBe(api.outputs.verdict);
    expect(question?.abortSignal?.aborted).toBe(false);
    expect(await attempts("rate")).toMatchObject([
      { state: "finished", meta: { agentId: "native", outputMode: "native", schemaRetries: 0 } },
    ]);
  });
});

describe("an agent without it", () => {
  it("gets the schema in the prompt, and its JSON is found in its text", async () => {
    const agent = scriptedAgent("prompted", ['Sure!\n```json\n{"title": "fine", "score": 4}\n```'], {
      native: false,
    });
    const { row, attempts, events } = await ask(agent);
    expect(row).toEqual(GOOD);
    const [question] = agent.questions;
    expect(question?.prompt).toMatch(/^Rate the book\.\n/);
    expect(question?.prompt).toContain("score");
    expect(question?.outputSchema).toBeUndefined();
    expect(await attempts("rate")).toMatchObject([{ meta: { outputMode: "prompted" } }]);
    expect(await events("StructuredOutputDowngraded")).toMatchObject([{ nodeId: "rate", mode: "prompted" }]);
  });

  it.each<[string, unknown]>([
    ["a plain object", GOOD],
    ["an object with text", { text: JSON.stringify(GOOD) }],
    ["an object with output", { output: GOOD, text: "as asked" }],
    ["steps whose last text holds it", { text: "", steps: [{ text: "hm" }, { text: JSON.stringify(GOOD) }] }],
    ["an answer that repeats its address", { ...GOOD, runId: "x", nodeId: "y", iteration: 3 }],
  ])("may answer with %s", async (_what, answer) => {
    const { row } = await ask(scriptedAgent("prompted", [answer], { native: false }));
    expect(row).toEqual(GOOD);
  });
});

describe("an answer that does not fit", () => {
  it("goes back to the agent with the complaints, in the same attempt", async () => {
    const agent = scriptedAgent("sloppy", [{ title: "no score" }, { ...GOOD, score: "four" }, GOOD]);
    const { row, attempts, events, node } = await ask(agent);
    expect(row).toEqual(GOOD);
    expect(agent.questions.map(({ schemaRetry }) => schemaRetry)).toEqual([0, 1, 2]);
    expect(agent.questions[1]?.prompt).toContain("score");
    expect(await attempts("rate")).toMatchObject([
      { attempt: 1, state: "finished", meta: { schemaRetries: 2 } },
    ]);
    expect((await events("StructuredOutputRejected")).map(({ schemaRetry }) => schemaRetry)).toEqual([1, 2]);
    expect(await node("rate")).toMatchObject({ failures: 0 });
  });

  it("is corrected three times at most; then the attempt fails and the retry policy decides", async () => {
    const agent = scriptedAgent("hopeless", [{ title: "no score" }]);
    const { result, attempts } = await ask(agent, { retries: 1 });
    expect(agent.questions).toHaveLength(8);
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "INVALID_OUTPUT", details: { nodeId: "rate", attempt: 2, schemaRetries: 3 } },
    });
    expect((await attempts("rate")).map(({ error }) => error?.code)).toEqual([
      "INVALID_OUTPUT",
      "INVALID_OUTPUT",
    ]);
  });
});

describe("the attempt after a failed one", () => {
  it("hears that it is a retry and what went wrong", async () => {
    const agent = scriptedAgent("flaky", [new Error("the model fell asleep"), GOOD]);
    const { row } = await ask(agent, { retries: 1 });
    expect(row).toEqual(GOOD);
    expect(agent.questions[1]).toMatchObject({
      isRetry: true,
      retryAttempt: 1,
      taskContext: { attempt: 2 },
      prompt: expect.stringMatching(/^Rate the book\.[^]*the model fell asleep/) as string,
    });
  });
});

describe("a chain of agents", () => {
  const broken = (id: string) => scriptedAgent(id, [new Error(`${id} is broken`)]);

  it("is walked by attempt: attempt n asks agent n, the fallback comes last and repeats", async () => {
    const first = broken("first");
    const second = broken("second");
    const fallback = scriptedAgent("fallback", [new Error("not yet"), GOOD]);
    const { row, attempts } = await ask([first, second], { retries: 5, fallback });
    expect(row).toEqual(GOOD);
    expect([first, second, fallback].map(({ questions }) => questions.length)).toEqual([1, 1, 2]);
    expect((await attempts("rate")).map(({ meta }) => meta?.agentId)).toEqual([
      "first",
      "second",
      "fallback",
      "fallback",
    ]);
  });

  it("asks the same agent again when an attempt was only interrupted", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, service } = scene.api;
    const controller = new AbortController();
    const first = scriptedAgent("first", [
      ({ abortSignal }: AgentGenerateOptions) => {
        controller.abort(new ServiceError("PROCESS_ABORTED", "SIGTERM"));
        return scene.time.pause(60_000, abortSignal);
      },
      GOOD,
    ]);
    const second = broken("second");
    const workflow = service(() => (
      <Workflow name="interrupted">
        <Task id="rate" output={outputs.verdict} agent={[first, second]} retries={0}>
          Rate.
        </Task>
      </Workflow>
    ));
    expect((await scene.run(workflow, { signal: controller.signal })).status).toBe("running");
    expect((await scene.resume(workflow)).status).toBe("finished");
    expect([first, second].map(({ questions }) => questions.length)).toEqual([2, 0]);
  });

  it("asks the first again in the first attempt of another run", async () => {
    const first = scriptedAgent("first", [GOOD]);
    const second = broken("second");
    await ask([first, second]);
    expect(second.questions).toHaveLength(0);
  });
});

describe("a start-up check", () => {
  it("happens once per agent and run, before the first question", async () => {
    const order: string[] = [];
    const agent = scriptedAgent(
      "checked",
      [
        () => {
          order.push("asked");
          return GOOD;
        },
      ],
      {
        preflight: async () => {
          order.push("checked");
        },
      },
    );
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="twice">
        {["one", "two", "three"].map((id) => (
          <Task key={id} id={id} output={outputs.verdict} agent={agent}>
            Rate.
          </Task>
        ))}
      </Workflow>
    ));
    await scene.run(workflow, { runId: "a" });
    expect(order).toEqual(["checked", "asked", "asked", "asked"]);
    await scene.run(workflow, { runId: "b" });
    expect(agent.preflights).toBe(2);
  });

  it("that fails fails the task without a retry and without a question", async () => {
    const agent = scriptedAgent("unusable", [GOOD], {
      preflight: () => Promise.reject(new Error("claude: command not found")),
    });
    const { result, attempts } = await ask(agent, { retries: 5 });
    expect(result).toMatchObject({
      status: "failed",
      error: { retryable: false, cause: { message: "claude: command not found" } },
    });
    expect(result.error?.message).toContain("unusable");
    expect(agent.questions).toHaveLength(0);
    expect(await attempts("rate")).toHaveLength(1);
  });

  it("is made once when several tasks start at the same time", async () => {
    let release: () => void = () => undefined;
    const agent = scriptedAgent("slow-check", [GOOD], {
      preflight: () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    });
    const scene = openScene(schemas);
    const { Workflow, Task, Parallel, outputs, service } = scene.api;
    const driving = scene.drive(
      service(() => (
        <Workflow name="parallel">
          <Parallel>
            {["one", "two", "three"].map((id) => (
              <Task key={id} id={id} output={outputs.verdict} agent={agent}>
                Rate.
              </Task>
            ))}
          </Parallel>
        </Workflow>
      )),
    );
    await scene.time.advance(10);
    expect(agent.questions).toHaveLength(0);
    release();
    expect((await scene.time.until(driving)).status).toBe("finished");
    expect(agent.preflights).toBe(1);
  });
});

describe("what an agent reports", () => {
  it("is recorded: tokens of every call, also those of failed attempts", async () => {
    const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 5, totalTokens: inputTokens + 5 });
    const lines: Line[] = [
      { text: "not json", usage: usage(10) },
      { text: "still not", usage: usage(20) },
      { text: "no", usage: usage(30) },
      { text: "never", usage: usage(40) },
      { text: JSON.stringify(GOOD), usage: usage(50) },
    ];
    const agent = scriptedAgent("metered", lines, { native: false });
    const { store, events } = await ask(agent, { retries: 1 });
    const rows = await store.listUsage("run");
    expect(rows.map(({ attempt, callNo, inputTokens }) => [attempt, callNo, inputTokens])).toEqual([
      [1, 0, 10],
      [1, 1, 20],
      [1, 2, 30],
      [1, 3, 40],
      [2, 0, 50],
    ]);
    expect(rows[0]).toMatchObject({ nodeId: "rate", agentId: "metered", outputTokens: 5 });
    expect((await events("TokenUsageReported")).map(({ inputTokens }) => inputTokens)).toEqual([
      10, 20, 30, 40, 50,
    ]);
  });

  it("reaches the run's log: streams and events", async () => {
    const agent = scriptedAgent("chatty", [
      ({ onStdout, onStderr, onEvent }: AgentGenerateOptions) => {
        onStdout?.("thinking\n");
        onStderr?.("warning\n");
        onEvent?.({ type: "started", engine: "claude-code", title: "chatty" } as never);
        return GOOD;
      },
    ]);
    const { events } = await ask(agent);
    expect((await events("NodeOutput")).map(({ text, stream }) => [text, stream])).toEqual([
      ["thinking\n", "stdout"],
      ["warning\n", "stderr"],
    ]);
    expect(await events("AgentEvent")).toMatchObject([{ engine: "claude-code", event: { type: "started" } }]);
  });
});
