// biome-ignore-all lint/correctness/noChildrenProp: short elements stay on one line
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { components } from "../../src/components/components.js";
import type { TaskDescriptor } from "../../src/model/task.js";
import { outputs, registry, rig } from "../support/render-workflow.js";

const { Aspects, Approval, HumanTask, Sandbox, Signal, Subflow, Task, Timer, WaitForEvent, Workflow } =
  components;
const agent = { id: "writer", generate: async () => "" };
const workflow = { build: () => null };

function describeTask(element: ReactNode): TaskDescriptor {
  const frame = rig(() => <Workflow name="w">{element}</Workflow>).render();
  expect(frame.tasks).toHaveLength(1);
  return frame.tasks[0] as TaskDescriptor;
}

/** What a descriptor says beyond the fields every one has. */
function particulars(element: ReactNode): Partial<TaskDescriptor> {
  const { fingerprint, ordinal, outputTable, outputRef, outputSchema, ...others } = describeTask(element);
  return others;
}

const COMMON = {
  nodeId: "a",
  iteration: 0,
  needsApproval: false,
  skipIf: false,
  retries: Number.POSITIVE_INFINITY,
  timeoutMs: null,
  heartbeatTimeoutMs: null,
  continueOnFail: false,
  outputKey: "note",
  outputTableName: "out_note",
};
const WITHOUT_ROW = { outputKey: "", outputTableName: "", retries: 0 };

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

  it("described by all of its props", () => {
    const scorers = {};
    const memory = { namespace: "n" };
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

describe("an Approval", () => {
  const request = { title: "Ship?", summary: "s", metadata: { n: 1 } };

  it("asks for a decision, and fails when it is denied", () => {
    expect(particulars(<Approval id="a" output="note" request={request} />)).toEqual({
      ...COMMON,
      kind: "approval",
      needsApproval: true,
      approvalMode: "decision",
      approvalOnDeny: "fail",
      approvalRequest: request,
    });
  });

  it("carries all of its props", () => {
    const options = [
      { key: "x", label: "X" },
      { key: "y", label: "Y", summary: "s" },
    ];
    expect(
      particulars(
        <Approval
          id="a"
          output="note"
          mode="rank"
          options={options}
          request={request}
          onDeny="skip"
          allowedScopes={["ops"]}
          allowedUsers={["ann"]}
          autoApprove={{ after: 2, audit: true, condition: () => true, revertOn: () => false }}
          async
          dependsOn={["b"]}
          timeoutMs={5}
          continueOnFail
          label="L"
        />,
      ),
    ).toEqual({
      ...COMMON,
      kind: "approval",
      needsApproval: true,
      approvalMode: "rank",
      approvalOptions: options,
      approvalOnDeny: "skip",
      approvalRequest: request,
      approvalAllowedScopes: ["ops"],
      approvalAllowedUsers: ["ann"],
      approvalAutoApprove: { after: 2, audit: true, conditionMet: true, revertOnMet: false },
      waitAsync: true,
      dependsOn: ["b"],
      timeoutMs: 5,
      continueOnFail: true,
      label: "L",
    });
  });

  it.each(["select", "rank"] as const)("of mode %s needs options", (mode) => {
    expect(() => describeTask(<Approval id="a" output="note" mode={mode} request={request} />)).toThrow(
      expect.objectContaining({ code: "APPROVAL_OPTIONS_REQUIRED" }),
    );
  });

  it.each<[string, object]>([
    ["a request", { request: undefined }],
    ["a title", { request: { summary: "s" } }],
    [
      "options with different keys",
      {
        options: [
          { key: "x", label: "1" },
          { key: "x", label: "2" },
        ],
      },
    ],
    ["options with labels", { options: [{ key: "x" }] }],
    ["a known mode", { mode: "vote" }],
    ["a count of at least 0", { autoApprove: { after: -1 } }],
    ["functions as conditions", { autoApprove: { condition: true } }],
  ])("needs %s", (_name, props) => {
    expect(() => describeTask(<Approval id="a" output="note" request={request} {...props} />)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });
});

describe("waits:", () => {
  it("a Signal waits for its own id", () => {
    expect(particulars(<Signal id="a" schema={outputs.note} />)).toEqual({
      ...COMMON,
      retries: 0,
      kind: "event",
      eventWait: { name: "a", onTimeout: "fail" },
    });
  });

  it("a Signal inside nested loops has a plain name all the same", () => {
    const { Loop, Sequence } = components;
    const flow = rig(() => (
      <Workflow name="w">
        <Loop id="outer">
          <Sequence>
            <Loop id="inner">
              <Signal id="go" schema="note" />
            </Loop>
          </Sequence>
        </Loop>
      </Workflow>
    ));
    expect(flow.render().tasks[0]).toMatchObject({ nodeId: "go@@outer=0", eventWait: { name: "go" } });
  });

  it("a WaitForEvent waits for its event", () => {
    expect(
      particulars(
        <WaitForEvent
          id="a"
          event="paid"
          correlationId="order-1"
          output="note"
          timeoutMs={7}
          onTimeout="continue"
          async
        />,
      ),
    ).toEqual({
      ...COMMON,
      retries: 0,
      kind: "event",
      timeoutMs: 7,
      waitAsync: true,
      eventWait: { name: "paid", correlationId: "order-1", timeoutMs: 7, onTimeout: "continue" },
    });
  });

  it("a Timer waits for a duration or an instant, and has no row", () => {
    const timer = { ...COMMON, ...WITHOUT_ROW, kind: "timer" };
    expect(particulars(<Timer id="a" duration="2m" />)).toEqual({
      ...timer,
      timerWait: { durationMs: 120_000 },
    });
    expect(particulars(<Timer id="a" duration={250} />)).toEqual({
      ...timer,
      timerWait: { durationMs: 250 },
    });
    const until = "2031-05-01T09:00:00Z";
    const untilMs = Date.UTC(2031, 4, 1, 9);
    expect(particulars(<Timer id="a" until={until} />)).toEqual({ ...timer, timerWait: { untilMs } });
    expect(particulars(<Timer id="a" until={new Date(untilMs)} />)).toEqual({
      ...timer,
      timerWait: { untilMs },
    });
  });

  it.each<[string, object, string]>([
    ["repeat", { every: "5m" }, "timers fire once"],
    ["wait for nothing", {}, "neither duration nor until"],
    ["wait for two things", { duration: "1s", until: new Date(5) }, "both duration and until"],
    ["wait for a word", { duration: "soon" }, 'duration="soon"'],
    ["wait for less than nothing", { duration: -5 }, "duration={-5}"],
    ["wait for no date", { until: "next week" }, 'until="next week"'],
  ])("a Timer cannot %s", (_name, props, words) => {
    expect(() => describeTask(<Timer id="a" {...props} />)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", summary: expect.stringContaining(words) }),
    );
  });

  it("a Signal needs a schema of the workflow", () => {
    expect(() => describeTask(<Signal id="a" schema={z.object({}) as never} />)).toThrow(
      expect.objectContaining({ code: "UNKNOWN_OUTPUT_SCHEMA" }),
    );
    expect(() => describeTask(<Signal id="a" schema={undefined as never} />)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });

  it("a WaitForEvent needs an event", () => {
    expect(() => describeTask(<WaitForEvent id="a" event="" output="note" />)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
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

  it("a Sandbox carries everything its runner needs", () => {
    const sandbox = {
      workflow,
      input: { n: 1 },
      provider: "local",
      runtime: "docker",
      allowNetwork: true,
      reviewDiffs: false,
      autoAcceptDiffs: true,
      allowNested: false,
      image: "node:20",
      env: { TOKEN: "secret" },
      egress: { httpProxy: "http://proxy", noProxy: ["a"] },
      ports: [{ host: 1, container: 2 }],
      volumes: [{ host: "/a", container: "/b", readonly: true }],
      memoryLimit: "1g",
      cpuLimit: "2",
      command: "npm test",
      workspace: { name: "w", persistence: "sticky" },
    } as const;
    expect(particulars(<Sandbox id="a" output="note" {...sandbox} />)).toEqual({
      ...COMMON,
      kind: "sandbox",
      sandbox,
    });
  });

  it.each<[string, object]>([
    ["runtime", { runtime: "podman" }],
    ["provider", { provider: { id: "p" } }],
    ["workflow", { workflow: "w" }],
    ["allowNetwork", { allowNetwork: "yes" }],
    ["egress", { egress: [] }],
  ])("a Sandbox refuses a wrong %s", (_name, props) => {
    expect(() => describeTask(<Sandbox id="a" output="note" {...props} />)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
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
      "aspects:0.0": {
        latencySlo: { maxMs: 5, onExceeded: "fail" },
        tracking: { tokens: false, latency: true },
      },
    });
    expect(frame.tasks.map(({ aspectIds }) => aspectIds)).toEqual([["outer", "aspects:0.0"], ["outer"]]);
  });
});
