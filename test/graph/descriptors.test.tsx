import { describe, expect, it } from "vitest";
import { z } from "zod";
import { components } from "../../src/components/components.js";
import { COMMON, describeTask, particulars } from "../support/describe-task.js";
import { outputs, registry, rig } from "../support/render-workflow.js";

const { Aspects, HumanTask, Subflow, Task, Workflow } = components;
const agent = { id: "writer", generate: async () => "" };
const workflow = { build: () => null };

describe("a Task is", () => {
  it("static with a row, and has defaults", () => {
    expect(particulars(<Task id="a" output={outputs.note} children={{ text: "x" }} />)).toEqual({
      ...COMMON,
      kind: "static",
      staticPayload: { text: "x" },
    });
  });

  it("compute with a function", () => {
    const compute = () => ({ text: "x" });
    expect(particulars(<Task id="a" output="note" children={compute} />)).toEqual({
      ...COMMON,
      kind: "compute",
      computeFn: compute,
    });
  });

  it("an agent's with a prompt, or with a function that makes one", () => {
    const prompt = () => "Write.";
    expect(particulars(<Task id="a" output="note" agent={agent} children="Write." />)).toEqual({
      ...COMMON,
      kind: "agent",
      agent,
      prompt: "Write.",
    });
    expect(particulars(<Task id="a" output="note" agent={[agent]} children={prompt} />)).toEqual({
      ...COMMON,
      kind: "agent",
      agent: [agent],
      computeFn: prompt,
    });
  });

  it.each([
    ["a function", { children: () => ({ text: "x" }) }, 0],
    ["an agent", { agent, children: "Write." }, 1],
    ["a chain", { agent: [agent, agent, agent], children: "Write." }, 2],
    ["a chain with a fallback", { agent: [agent, agent], fallbackAgent: agent, children: "Write." }, 2],
  ])("tried, where its failure is expected, as often as %s needs to be asked", (_what, props, retries) => {
    const expected = (
      <Task
        id="a"
        output="note"
        continueOnFail
        {...(props as object as { children: string; agent: typeof agent })}
      />
    );
    expect(particulars(expected)["retries"]).toBe(retries);
  });

  it("described by all of its props", () => {
    const scorers = {};
    const memory = { namespace: "user:n" };
    const retryPolicy = { backoff: "linear", initialDelayMs: 5, maxIdenticalFailures: 0 } as const;
    const cache = { version: "2", ttlMs: 10 };
    const full = (
      <Task
        id="a"
        output={outputs.note}
        agent={agent}
        fallbackAgent={agent}
        dependsOn={["b"]}
        needs={{ x: "c" }}
        deps={{ x: outputs.verdict, d: "note" }}
        fork="e"
        skipIf
        needsApproval
        async
        timeoutMs={1}
        heartbeatTimeout={2}
        retries={3}
        retryPolicy={retryPolicy}
        continueOnFail
        cache={cache}
        scorers={scorers}
        memory={memory}
        hijack
        onHijackExit="reopen"
        allowTools={["grep"]}
        label="Label"
        meta={{ tier: 1 }}
      >
        Write.
      </Task>
    );
    expect(particulars(full)).toEqual({
      ...COMMON,
      kind: "agent",
      agent,
      fallbackAgent: agent,
      prompt: "Write.",
      dependsOn: ["b"],
      needs: { x: "c" },
      deps: { x: { nodeId: "c", outputKey: "verdict" }, d: { nodeId: "d", outputKey: "note" } },
      forkSource: "e",
      skipIf: true,
      needsApproval: true,
      waitAsync: true,
      approvalMode: "gate",
      approvalOnDeny: "fail",
      approvalRequest: { title: "Label" },
      timeoutMs: 1,
      heartbeatTimeoutMs: 2,
      retries: 3,
      retryPolicy,
      continueOnFail: true,
      cachePolicy: cache,
      cacheBy: undefined,
      scorers,
      memoryConfig: memory,
      hijack: true,
      onHijackExit: "reopen",
      allowTools: ["grep"],
      label: "Label",
      meta: { tier: 1 },
    });
  });

  it("tried once with noRetry", () => {
    expect(describeTask(<Task id="a" output="note" noRetry children={{ text: "" }} />).retries).toBe(0);
  });

  it("validated by its own schema, and stored by that of its output", () => {
    const strict = z.object({ text: z.string().min(5) });
    const { outputRef, outputSchema, outputTable } = describeTask(
      <Task id="a" output="note" outputSchema={strict} children={{ text: "" }} />,
    );
    expect([outputRef, outputSchema]).toEqual([outputs.note, strict]);
    expect(outputTable).toEqual(registry.resolveOutput("note")?.table);
  });

  it("mounted without its row or prompt as long as there is none", () => {
    expect(describeTask(<Task id="a" output="note" children={undefined as never} />).kind).toBe("static");
    expect(describeTask(<Task id="a" output="note" agent={agent} children={null} />).prompt).toBe("");
  });
});

describe("other kinds:", () => {
  it("a HumanTask asks again at once, ten times by default", () => {
    const human = {
      ...COMMON,
      nodeId: "human-task",
      kind: "human",
      needsApproval: true,
      approvalMode: "decision",
      approvalOnDeny: "fail",
      approvalRequest: { title: "human-task" },
      prompt: "Which **one**?",
      retries: 9,
      retryPolicy: { backoff: "fixed", initialDelayMs: 0, maxIdenticalFailures: 0 },
    };
    const question = (
      <>
        Which <b>one</b>?
      </>
    );
    expect(particulars(<HumanTask output="note" prompt={question} />)).toEqual(human);
    expect(
      particulars(
        <HumanTask id="a" output="note" prompt="?" maxAttempts={1} async timeoutMs={3} label="L" />,
      ),
    ).toMatchObject({
      nodeId: "a",
      retries: 0,
      waitAsync: true,
      timeoutMs: 3,
      prompt: "?",
      approvalRequest: { title: "L" },
    });
  });

  it("a Subflow is a run of its own", () => {
    expect(
      particulars(<Subflow id="a" workflow={workflow} input={{ n: 1 }} output="note" retries={2} />),
    ).toEqual({
      ...COMMON,
      kind: "subflow",
      retries: 2,
      subflow: { workflow, input: { n: 1 } },
    });
  });

  it("a Subflow needs a workflow", () => {
    expect(() => describeTask(<Subflow id="a" workflow={{} as never} output="note" />)).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        summary: expect.stringContaining("what service(build) returns"),
      }),
    );
  });
});

describe("Aspects", () => {
  it("put their budgets into the frame and their ids into the tasks inside", () => {
    const frame = rig(() => (
      <Workflow name="w">
        <Aspects id="outer" tokenBudget={{ max: 100, perTask: 10, onExceeded: "skip-remaining" }}>
          <Aspects latencySlo={{ maxMs: 5 }} tracking={{ tokens: false }}>
            <Task id="a" output="note" children={{ text: "" }} />
          </Aspects>
          <Task id="b" output="note" children={{ text: "" }} />
        </Aspects>
      </Workflow>
    )).render();
    expect(frame.aspects).toEqual({
      outer: {
        tokenBudget: { max: 100, perTask: 10, onExceeded: "skip-remaining" },
        tracking: { tokens: true, latency: true },
      },
      "aspects@0.0": {
        latencySlo: { maxMs: 5, onExceeded: "fail" },
        tracking: { tokens: false, latency: true },
      },
    });
    expect(frame.tasks.map(({ aspectIds }) => aspectIds)).toEqual([["outer", "aspects@0.0"], ["outer"]]);
  });
});
