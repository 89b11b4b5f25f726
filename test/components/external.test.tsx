import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { type ExternalNode, externalElement } from "../../src/components/external/external-element.js";
import { serializeContext } from "../../src/components/external/serialize-context.js";
import type { WorkflowContext } from "../../src/model/context.js";
import { type outputs, rig, shape, task } from "../support/render-workflow.js";

const agents = {
  writer: { id: "w", generate: async () => "" },
  backup: { id: "b", generate: async () => "" },
};
const render = (node: ExternalNode) => rig(() => externalElement(node, agents));

const tree: ExternalNode = {
  tag: "Workflow",
  props: { name: "outside" },
  children: [
    { tag: "task", props: { id: "row", output: "note" }, children: { text: "x" } },
    {
      type: "MERGE_QUEUE",
      props: { id: "q" },
      children: [
        {
          tag: "Task",
          props: { id: "p", output: "note", agent: "writer", fallbackAgent: "backup" },
          children: ["Write", " now"],
        },
      ],
    },
    {
      tag: "loop",
      children: {
        tag: "Task",
        props: { id: "l", output: "note", agent: ["writer", "backup"] },
        children: [
          { tag: "h1", children: "Title" },
          { tag: "p", children: ["Some ", { tag: "b", children: "text" }] },
        ],
      },
    },
    {
      tag: "try-catch-finally",
      props: { id: "t" },
      children: [
        { tag: "try", children: [{ tag: "timer", props: { id: "wait", duration: "5s" } }] },
        { tag: "catch", children: [] },
      ],
    },
    {
      tag: "saga",
      props: { id: "s" },
      children: [
        {
          tag: "saga-step",
          props: { id: "one" },
          children: [
            { tag: "action", children: { tag: "Timer", props: { id: "do", duration: 1 } } },
            { tag: "compensation", children: { tag: "Timer", props: { id: "undo", duration: 1 } } },
          ],
        },
      ],
    },
  ],
};

describe("a tree from outside", () => {
  it("is a frame like any other", () => {
    const frame = render(tree).render();
    expect(shape(frame.plan)).toEqual([
      "sequence",
      "row",
      ["parallel", "p"],
      ["loop", "loop@2", "l"],
      ["try", "t", "wait", ["sequence"], undefined],
      ["saga", "s", ["one", "do", "undo"]],
    ]);
    expect(task(frame, "row").staticPayload).toEqual({ text: "x" });
    expect(task(frame, "p")).toMatchObject({
      prompt: "Write now",
      agent: agents.writer,
      fallbackAgent: agents.backup,
    });
    expect(task(frame, "l")).toMatchObject({
      prompt: "# Title\n\nSome **text**",
      agent: [agents.writer, agents.backup],
    });
  });

  it("is the same as the one written as TSX", () => {
    const { Workflow, Sequence, Timer } = components;
    const written = rig(() => (
      <Workflow name="w">
        <Sequence>
          <Timer id="a" duration="1s" />
          <Timer id="b" duration="2s" />
        </Sequence>
      </Workflow>
    )).render();
    const read = render({
      tag: "Workflow",
      props: { name: "w" },
      children: {
        tag: "Sequence",
        children: [
          { tag: "Timer", props: { id: "a", duration: "1s" } },
          { tag: "Timer", props: { id: "b", duration: "2s" } },
        ],
      },
    }).render();
    expect(read).toEqual(written);
  });

  it("may be written as the XML of frames is: elements and texts that say what they are", () => {
    const element = (tag: string, props: Record<string, unknown>, children: ExternalNode["children"] = []) =>
      ({ kind: "element", tag, props, children }) as const;
    const text = (words: string) => ({ kind: "text", text: words }) as const;
    const frame = render(
      element("Workflow", { name: "w" }, [
        element("Task", { id: "a", output: "note", agent: "writer" }, [text("Write now.")]),
        element("Task", { id: "b", output: "note", agent: "writer" }, [
          element("p", {}, [text("Some "), element("b", {}, [text("text")])]),
          text("and more"),
        ]),
        element("Task", { id: "row", output: "note" }, [{ kind: "note", text: "x" }]),
      ]),
    ).render();
    expect(task(frame, "a").prompt).toBe("Write now.");
    expect(task(frame, "b").prompt).toBe("Some **text**\n\nand more");
    expect(task(frame, "row").staticPayload).toEqual({ kind: "note", text: "x" });
  });

  it("that is built again equal keeps the frame", () => {
    const flow = rig(() => externalElement(structuredClone(tree), agents));
    expect(flow.render()).toBe(flow.render());
  });

  it("follows the iteration of its loops", () => {
    const flow = render(tree);
    expect(task(flow.render(), "l").iteration).toBe(0);
    flow.setIteration("loop@2", 3);
    expect(task(flow.render(), "l").iteration).toBe(3);
  });

  it("may have rows with a field named type", () => {
    const frame = render({
      tag: "Workflow",
      props: { name: "w" },
      children: [{ tag: "Task", props: { id: "a", output: "note" }, children: { type: "bug", text: "x" } }],
    }).render();
    expect(task(frame, "a").staticPayload).toEqual({ type: "bug", text: "x" });
  });

  it.each<[string, unknown, string]>([
    ["is no element", { nothing: 1 }, "has no tag"],
    ["is nothing", null, "has no tag"],
    [
      "names an unknown agent",
      { tag: "Task", props: { agent: "ghost" } },
      'the agent "ghost"; the agents are writer, backup',
    ],
  ])("that %s is refused", (_name, node, words) => {
    expect(() => externalElement(node as ExternalNode, agents)).toThrow(
      expect.objectContaining({ code: "EXTERNAL_BUILD_FAILED", summary: expect.stringContaining(words) }),
    );
  });
});

it("the context is handed out as JSON, rows with their addresses", () => {
  const row = Object.defineProperties({ text: "x" }, { nodeId: { value: "a" }, iteration: { value: 2 } });
  const ctx = {
    runId: "r",
    iteration: 1,
    iterations: { l: 1 },
    input: { topic: "cats" },
    auth: null,
    continuation: undefined,
    outputs: Object.assign((key: string) => (key === "note" ? [row] : []), { note: [row], verdict: [] }),
  } as unknown as WorkflowContext<typeof outputs>;
  expect(JSON.parse(JSON.stringify(serializeContext(ctx as unknown as WorkflowContext)))).toEqual({
    runId: "r",
    iteration: 1,
    iterations: { l: 1 },
    input: { topic: "cats" },
    auth: null,
    outputs: { note: [{ text: "x", nodeId: "a", iteration: 2 }], verdict: [] },
  });
});
