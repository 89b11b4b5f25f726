import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { rememberElementSource } from "../../jsx-runtime/element-source.js";
import { jsx } from "../../jsx-runtime/jsx-runtime.js";
import { ServiceError } from "../../src/errors/service-error.js";
import { outputs, rig } from "../support/render-workflow.js";

/* Plain JavaScript can pass anything, so the elements here are made without the types of the components. */

type Props = Record<string, unknown>;
const element = (tag: string, props: Props = {}, ...children: unknown[]): ReactNode =>
  jsx(
    tag,
    children.length === 0 ? props : { ...props, children: children.length === 1 ? children[0] : children },
  );

function problemOf(...roots: ReactNode[]): ServiceError {
  try {
    rig(() => roots).render();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("the tree was accepted");
}

const inWorkflow = (...children: ReactNode[]) => problemOf(element("Workflow", { name: "w" }, ...children));
const task = (props: Props = {}, children: unknown = () => ({})) =>
  element("Task", { id: "a", output: outputs.note, ...props }, children);
const agent = { generate: async () => "" };

describe("a tree is refused with WORKFLOW_TREE_INVALID when", () => {
  it.each<[string, () => ServiceError, string]>([
    ["it is empty", () => problemOf(), "rendered no Workflow"],
    ["its root is no Workflow", () => problemOf(task()), '<Task id="a"> stands outside a Workflow'],
    [
      "it has two roots",
      () => problemOf(element("Workflow", { name: "a" }), element("Workflow", { name: "b" })),
      '<Workflow name="b"> stands beside the Workflow',
    ],
    [
      "text stands outside",
      () => problemOf("hello", element("Workflow", { name: "a" })),
      'has the text "hello"',
    ],
    [
      "a Workflow is inside another",
      () => inWorkflow(element("Workflow", { name: "x" })),
      '<Workflow name="x"> stands inside Workflow',
    ],
    [
      "a condition leaves a 0",
      () => inWorkflow(element("Sequence", {}, 0)),
      'has the text "0" between its tags',
    ],
    ["text stands between tasks", () => inWorkflow(task(), "stray"), 'has the text "stray" between its tags'],
    [
      "text is all there is in a group",
      () => inWorkflow(element("Sequence", {}, "stray")),
      '<Sequence> has the text "stray" between its tags',
    ],
    [
      "markup stands outside a task",
      () => inWorkflow(element("p", {}, "x")),
      "<p> is prompt markup outside a task",
    ],
    ["an element is unknown", () => inWorkflow(element("Tsak")), "<Tsak> is not an element of a workflow"],
    [
      "a group has a function in it",
      () => inWorkflow(element("Sequence", {}, () => 1)),
      "has a function between its tags",
    ],
    [
      "a group has a row in it",
      () => inWorkflow(element("Sequence", {}, { a: 1 })),
      "has an object between its tags",
    ],
    [
      "a task stands inside the prompt of another",
      () => inWorkflow(task({ agent }, element("p", {}, "x", element("Task", { id: "inner" })))),
      '<Task id="inner"> stands inside the prompt of a task',
    ],
    [
      "a SagaStep has no Saga",
      () => inWorkflow(element("SagaStep", { id: "s" })),
      '<SagaStep id="s"> stands inside Workflow',
    ],
    ["a Saga has other children", () => inWorkflow(element("Saga", {}, task())), "takes only SagaStep"],
  ])("%s", (_name, problem, words) => {
    expect(problem()).toMatchObject({
      code: "WORKFLOW_TREE_INVALID",
      summary: expect.stringContaining(words),
    });
  });

  it("text appears later, where there was none", () => {
    let text = " ";
    const flow = rig(() =>
      element("Workflow", { name: "w" }, element("Sequence", { key: "s" }, task(), text)),
    );
    flow.render();
    text = "stray";
    expect(() => flow.render()).toThrow('<Sequence> has the text "stray"');
  });
});

describe("white space between elements", () => {
  it("is no text", () => {
    const blank = element("Sequence", { key: "s" }, "");
    expect(() =>
      rig(() => element("Workflow", { name: "w" }, task(), " ", "\n  ", blank)).render(),
    ).not.toThrow();
  });
});

describe("a task is refused", () => {
  it.each<[string, ReactNode, string]>([
    ["without an id", element("Task", { output: outputs.note }, {}), "TASK_ID_REQUIRED"],
    ["with an empty id", task({ id: " " }), "TASK_ID_REQUIRED"],
    ["with an id that is a number", task({ id: 7 }), "INVALID_INPUT"],
    ["with an id that looks like one of an iteration", task({ id: "a@@l=1" }), "INVALID_INPUT"],
    ["without an output", element("Task", { id: "a" }, () => 1), "TASK_MISSING_OUTPUT"],
    ["with the output of another workflow", task({ output: z.object({}) }), "UNKNOWN_OUTPUT_SCHEMA"],
    ["with an unknown output key", task({ output: "nope" }), "UNKNOWN_OUTPUT_SCHEMA"],
    ["with an unknown output in deps", task({ deps: { a: "nope" } }), "UNKNOWN_OUTPUT_SCHEMA"],
    ["with a prompt but no agent", task({}, "Do it."), "TASK_AGENT_REQUIRED"],
    ["with a prompt of elements but no agent", task({}, element("p", {}, "Do it.")), "TASK_AGENT_REQUIRED"],
    ["with a fork but no agent", task({ fork: "b" }), "TASK_AGENT_REQUIRED"],
    ["with tools but no agent", task({ allowTools: ["grep"] }), "TASK_AGENT_REQUIRED"],
    ["with an object as its prompt", task({ agent }, { default: "mdx module" }), "MDX_PRELOAD_INACTIVE"],
  ])("%s", (_name, child, code) => {
    expect(inWorkflow(child).code).toBe(code);
  });

  it.each<[string, Props, string]>([
    ["retries", { retries: -1 }, "retries={-1}; expected an integer of at least 0, or Infinity"],
    ["retries", { retries: Number.NaN }, "retries={NaN}"],
    ["retries", { retries: "3" }, 'retries="3"'],
    ["noRetry", { noRetry: true, retries: 2 }, "no retries beside it"],
    ["retryPolicy", { retryPolicy: { delayMs: 5 } }, "retryPolicy.delayMs, which does not exist"],
    ["retryPolicy", { retryPolicy: { backoff: "cubic" } }, "retryPolicy={an object}; expected backoff"],
    ["retryPolicy", { retryPolicy: { initialDelayMs: -5 } }, "retryPolicy"],
    ["timeoutMs", { timeoutMs: 0 }, "timeoutMs={0}; expected a number of milliseconds greater than 0"],
    ["timeoutMs", { timeoutMs: Number.POSITIVE_INFINITY }, "timeoutMs={Infinity}"],
    ["heartbeatTimeout", { heartbeatTimeout: 5, heartbeatTimeoutMs: 6 }, "the same value as its alias"],
    ["skipIf", { skipIf: "yes" }, 'skipIf="yes"; expected true or false'],
    ["dependsOn", { dependsOn: "b" }, "a list of strings"],
    ["needs", { needs: { a: 1 } }, "an object whose values are strings"],
    ["async", { async: true }, "needsApproval beside it"],
    ["agent", { agent: { run: 1 } }, "an agent (an object with generate())"],
    ["agent", { agent: [] }, "non-empty list of agents"],
    ["fallbackAgent", { agent, fallbackAgent: "x" }, "an agent: an object with generate()"],
    ["onHijackExit", { agent, onHijackExit: "stop" }, 'one of "complete", "reopen"'],
    ["cache", { cache: { ttlMs: 0 } }, "ttlMs greater than 0"],
    ["cache", { cache: { scope: "team" } }, 'scope "run", "workflow" or "global"'],
    ["label", { label: "" }, "a non-empty string"],
    ["meta", { meta: [] }, "meta={a list}; expected an object"],
    ["meta", { meta: { a: { b: [10n] } } }, 'meta with a bigint in "a.b[0]"; expected plain JSON'],
    ["meta", { meta: { f: () => 1 } }, 'meta with a function in "f"'],
    ["meta", { meta: { seen: new Map() } }, 'meta with a Map in "seen"'],
    ["outputSchema", { outputSchema: {} }, "a zod object schema"],
  ])("for its %s", (_name, props, words) => {
    const children = "agent" in props ? "prompt" : () => ({});
    expect(inWorkflow(task(props, children))).toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringMatching(/^<Task id="a"> has /),
      message: expect.stringContaining(words),
    });
  });
});

describe("an approval that would be open to more than it says is refused", () => {
  const approval = (props: Props) =>
    element("Approval", { id: "a", output: outputs.verdict, request: { title: "?" }, ...props });
  it.each<[string, Props, string]>([
    ["for an empty list of users", { allowedUsers: [] }, "a list of at least one"],
    ["for an empty list of scopes", { allowedScopes: [] }, "a list of at least one"],
    ["for a misspelt rule", { autoApprove: { conditon: () => false } }, "and nothing else"],
    ["for a rule that answers later", { autoApprove: { condition: async () => false } }, "not a promise"],
  ])("%s", (_name, props, words) => {
    expect(inWorkflow(approval(props))).toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringMatching(/^<Approval id="a"> has /),
      message: expect.stringContaining(words),
    });
  });
});

describe("what a person is shown of an approval is refused", () => {
  const request = { title: "Ship?" };
  it.each<[string, Props, string]>([
    ["metadata", { request: { ...request, metadata: { n: 1n } } }, 'request with a bigint in "metadata.n"'],
    [
      "an option",
      { request, options: [{ key: "a", label: "A", metadata: { f: () => 1 } }] },
      'options with a function in "[0].metadata.f"',
    ],
  ])("when JSON would lose a part of it: %s", (_name, props, words) => {
    const error = inWorkflow(element("Approval", { id: "a", output: outputs.verdict, ...props }));
    expect(error.code).toBe("INVALID_INPUT");
    expect(error.summary).toContain('<Approval id="a">');
    expect(error.summary).toContain(words);
  });
});

describe("a structure is refused", () => {
  it.each<[string, ReactNode, string, string]>([
    ["Loop maxIterations 0", element("Loop", { maxIterations: 0 }), "INVALID_INPUT", "maxIterations={0}"],
    [
      "Loop maxIterations 1.5",
      element("Loop", { maxIterations: 1.5 }),
      "INVALID_INPUT",
      "maxIterations={1.5}",
    ],
    [
      "Loop continueAsNewEvery",
      element("Loop", { continueAsNewEvery: -1 }),
      "INVALID_INPUT",
      "continueAsNewEvery",
    ],
    ["Loop until", element("Loop", { until: "done" }), "INVALID_INPUT", 'until="done"'],
    ["Loop onMaxReached", element("Loop", { onMaxReached: "stop" }), "INVALID_INPUT", "onMaxReached"],
    [
      "Parallel cap",
      element("Parallel", { maxConcurrency: 0 }, task()),
      "INVALID_INPUT",
      "maxConcurrency={0}",
    ],
    ["Worktree without path", element("Worktree"), "WORKTREE_EMPTY_PATH", "<Worktree> has no path"],
    [
      "Worktree with an empty path",
      element("Worktree", { path: "  " }),
      "WORKTREE_EMPTY_PATH",
      "has no path",
    ],
    [
      "Aspects with a budget of unknown fields",
      element("Aspects", { tokenBudget: { max: 5, onExceded: "warn" } }),
      "INVALID_INPUT",
      "tokenBudget.onExceded, which does not exist; its fields are max, perTask, onExceeded; did you mean onExceeded?",
    ],
    [
      "Aspects that track something unknown",
      element("Aspects", { tracking: { token: false } }),
      "INVALID_INPUT",
      "tracking.token, which does not exist",
    ],
    [
      "Aspects that track by halves",
      element("Aspects", { tracking: { tokens: 0 } }),
      "INVALID_INPUT",
      "tokens and latency to be true or false",
    ],
    ["Aspects without a limit", element("Aspects", { tokenBudget: {} }), "INVALID_INPUT", "max or perTask"],
    [
      "Aspects with a negative limit",
      element("Aspects", { latencySlo: { maxMs: -1 } }),
      "INVALID_INPUT",
      "maxMs",
    ],
    [
      "Aspects with an unknown policy",
      element("Aspects", { latencySlo: { maxMs: 1, onExceeded: "skip-remaining" } }),
      "INVALID_INPUT",
      "onExceeded",
    ],
    ["Saga onFailure", element("Saga", { onFailure: "retry" }), "INVALID_INPUT", "onFailure"],
    ["SagaStep without id", element("Saga", {}, element("SagaStep")), "TASK_ID_REQUIRED", "<SagaStep>"],
    ["catchErrors", element("TryCatchFinally", { catchErrors: "X" }), "INVALID_INPUT", "a list of strings"],
  ])("for %s", (_name, child, code, words) => {
    expect(inWorkflow(child)).toMatchObject({ code, summary: expect.stringContaining(words) });
  });

  it("for a Workflow without a name", () => {
    expect(problemOf(element("Workflow"))).toMatchObject({ code: "INVALID_INPUT" });
  });
});

it("an id has at most 256 characters", () => {
  const tree = element("Workflow", { name: "w" }, task({ id: "x".repeat(256) }));
  expect(() => rig(() => tree).render()).not.toThrow();
  for (const [tag, props] of [["Task", { output: outputs.note }] as const, ["Loop", {}] as const]) {
    expect(inWorkflow(element(tag, { id: "x".repeat(257), ...props }))).toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringContaining("expected an id of at most 256 characters, not 257"),
    });
  }
});

it("an id is text that can be stored: no half of an emoji", () => {
  const half = "🧵".slice(0, 1);
  for (const [tag, props] of [["Task", { output: outputs.note }] as const, ["Loop", {}] as const]) {
    expect(inWorkflow(element(tag, { id: `cut ${half}`, ...props }))).toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringContaining("expected an id without half a character"),
    });
    const whole = element("Workflow", { name: "w" }, element(tag, { id: "whole 🧵", ...props }, task()));
    if (tag === "Loop") expect(() => rig(() => whole).render()).not.toThrow();
  }
});

describe("an id must be the only one of its kind:", () => {
  it.each<[string, ReactNode[]]>([
    ["tasks", [task(), task()]],
    ["tasks of different kinds", [task(), element("Timer", { id: "a", duration: "1s" })]],
    ["loops", [element("Loop", { id: "x" }), element("Loop", { id: "x" })]],
    ["a loop and a saga", [element("Loop", { id: "x" }), element("Saga", { id: "x" })]],
    [
      "aspects",
      [
        element("Aspects", { id: "x", tokenBudget: { max: 1 } }),
        element("Aspects", { id: "x", tokenBudget: { max: 2 } }),
      ],
    ],
  ])("%s", (_name, children) => {
    expect(inWorkflow(...children).code).toBe("DUPLICATE_ID");
  });

  it("the message names both elements", () => {
    expect(inWorkflow(task(), element("Timer", { id: "a", duration: "1s" })).summary).toBe(
      '<Timer id="a"> has the id of another element: <Task id="a">.',
    );
  });

  it("Worktrees of one id stand in one place", () => {
    const worktree = (path: string) => element("Worktree", { id: "x", path });
    expect(inWorkflow(worktree("a"), worktree("b"))).toMatchObject({
      code: "DUPLICATE_ID",
      summary: expect.stringContaining('has path="b" and the id of another Worktree, which has path="a"'),
    });
    const tree = element("Workflow", { name: "w" }, worktree("a"), worktree("a"));
    expect(() => rig(() => tree).render()).not.toThrow();
  });

  it("what a structure with skipIf holds gives way, wherever it stands", () => {
    const skipped = element(
      "Sequence",
      { skipIf: true },
      task(),
      element("Loop", { id: "l" }, task({ id: "b" })),
    );
    const mounted = [task(), element("Loop", { id: "l" }, task({ id: "c" }))];
    for (const children of [
      [skipped, ...mounted],
      [...mounted, skipped],
      [skipped, ...mounted, skipped],
    ]) {
      const frame = rig(() => element("Workflow", { name: "w" }, ...children)).render();
      expect(frame.tasks.map(({ nodeId, skipIf }) => [nodeId, skipIf])).toEqual([
        ["a", false],
        ["c", false],
      ]);
    }
  });

  it("a skipped task whose id no other task has stays", () => {
    let isSkipped = true;
    const renderer = rig(() =>
      element(
        "Workflow",
        { name: "w" },
        element("Sequence", { skipIf: isSkipped }, task()),
        element("Sequence", { skipIf: !isSkipped }, task(), task({ id: "b" })),
      ),
    );
    const shown = () => renderer.render().tasks.map(({ nodeId, skipIf }) => [nodeId, skipIf]);
    expect(shown()).toEqual([
      ["a", false],
      ["b", false],
    ]);
    isSkipped = false;
    expect(shown()).toEqual([
      ["a", false],
      ["b", true],
    ]);
  });

  it("a task and a loop may share one", () => {
    const tree = element("Workflow", { name: "w" }, element("Loop", { id: "a" }, task()));
    expect(() => rig(() => tree).render()).not.toThrow();
  });
});

describe("the place of a mistake", () => {
  it("is named as file and line when the workflow was compiled for development", () => {
    const broken = task({ retries: -1 }) as { props: object };
    rememberElementSource(broken.props, { fileName: "flows/nightly.tsx", lineNumber: 12 });
    expect(inWorkflow(broken as ReactNode)).toMatchObject({
      summary: expect.stringContaining('<Task id="a"> (flows/nightly.tsx:12) has retries={-1}'),
      details: { tag: "Task", id: "a", fileName: "flows/nightly.tsx", lineNumber: 12 },
    });
  });

  it("is else named by tag and id", () => {
    expect(inWorkflow(task({ retries: -1 })).details).toEqual({ tag: "Task", id: "a" });
  });
});
