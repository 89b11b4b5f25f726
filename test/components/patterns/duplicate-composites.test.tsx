import { jsxDEV } from "treadle/jsx-dev-runtime";
import { describe, expect, it } from "vitest";
import { components } from "../../../src/components/components.js";
import type { WorkflowNode } from "../../../src/index.js";
import { outputs, rig } from "../../support/render-workflow.js";

const { Poller, ReviewLoop, Task, Workflow } = components;
const check = () => ({ satisfied: true });
const poller = (id?: string, lineNumber = 1) =>
  jsxDEV(
    Poller,
    { ...(id !== undefined && { id }), check, checkOutput: outputs.check },
    String(lineNumber),
    false,
    { fileName: "flow.tsx", lineNumber },
  );

function problemOf(...children: WorkflowNode[]) {
  try {
    rig(() => <Workflow name="w">{children}</Workflow>).render();
  } catch (error) {
    const { code, summary } = error as { code: string; summary: string };
    return { code, summary };
  }
  return undefined;
}

describe("two composites with the same parts", () => {
  it("are reported by their names and places, and which prop to set", () => {
    expect(problemOf(poller(undefined, 7), poller(undefined, 12))).toEqual({
      code: "DUPLICATE_ID",
      summary: expect.stringMatching(
        /They are parts of <Poller> \(flow\.tsx:7\) and <Poller> \(flow\.tsx:12\): give one of the <Poller> an id\.$/,
      ),
    });
    expect(problemOf(poller("a", 7), poller("a", 12))?.summary).toContain(
      "give one of the <Poller> another id.",
    );
    expect(problemOf(poller("a", 7), poller("b", 12))).toBeUndefined();
  });

  it("may be of two kinds", () => {
    const agent = { generate: async () => "" };
    const loop = (
      <ReviewLoop
        key="r"
        id="poll-loop"
        producer={agent}
        reviewer={agent}
        produceOutput={outputs.note}
        reviewOutput={outputs.verdict}
      />
    );
    expect(problemOf(poller(), loop)?.summary).toContain("give the <ReviewLoop> or the <Poller> an id.");
  });

  it("or one of them a task of the author's own", () => {
    const task = (
      <Task key="t" id="poll-check" output={outputs.note}>
        {{ text: "" }}
      </Task>
    );
    expect(problemOf(poller(undefined, 7), task)?.summary).toMatch(
      / has the id of another element: <Task id="poll-check">\. One of them is a part of <Poller> \(flow\.tsx:7\)\.$/,
    );
  });
});
