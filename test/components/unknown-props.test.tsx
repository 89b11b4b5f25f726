import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import type { WorkflowNode } from "../../src/index.js";
import { rig } from "../support/render-workflow.js";

const { Branch, Loop, MergeQueue, Parallel, Poller, SagaStep, Saga, Sequence, Task, Timer } = components;
const { TryCatchFinally, Workflow } = components;

/** As plain JavaScript hands props over: nothing has checked them. */
const spread = (props: object): object => props;

function problemOf(element: WorkflowNode): string {
  try {
    rig(() => <Workflow name="w">{element}</Workflow>).render();
    return "";
  } catch (error) {
    const { code, summary } = error as { code: string; summary: string };
    return `${code} ${summary}`;
  }
}

describe("a prop that an element does not have", () => {
  it.each([
    [
      "Task",
      "retrys",
      "retries",
      <Task key="x" id="a" output="note" children={{ text: "" }} {...spread({ retrys: 3 })} />,
    ],
    ["Parallel", "maxConcurency", "maxConcurrency", <Parallel key="x" {...spread({ maxConcurency: 2 })} />],
    ["MergeQueue", "skipif", "skipIf", <MergeQueue key="x" {...spread({ skipif: true })} />],
    ["Loop", "maxIteration", "maxIterations", <Loop key="x" {...spread({ maxIteration: 2 })} />],
    ["Timer", "durations", "duration", <Timer key="x" id="t" {...spread({ durations: "1s" })} />],
    ["Branch", "els", "else", <Branch key="x" if then={null} {...spread({ els: null })} />],
    [
      "Poller",
      "maxAttempt",
      "maxAttempts",
      <Poller key="x" check={() => ({})} checkOutput="check" {...spread({ maxAttempt: 1 })} />,
    ],
    [
      "TryCatchFinally",
      "catchError",
      "catchErrors",
      <TryCatchFinally key="x" try={null} {...spread({ catchError: [] })} />,
    ],
    [
      "SagaStep",
      "lable",
      "label",
      <Saga key="x">
        <SagaStep id="s" compensation={null} {...spread({ lable: "x" })}>
          {null}
        </SagaStep>
      </Saga>,
    ],
  ])("is refused with the nearest name: %s %s", (tag, wrong, right, element) => {
    expect(problemOf(element)).toMatch(
      new RegExp(`^INVALID_INPUT <${tag}[^>]*>.* has an unknown prop "${wrong}"; did you mean "${right}"\\?`),
    );
  });

  it("is refused with the props that there are where no name is near", () => {
    expect(problemOf(<Sequence {...spread({ colour: "red" })} />)).toContain(
      'an unknown prop "colour"; it takes children, skipIf',
    );
  });

  it("is none when its value is undefined", () => {
    expect(problemOf(<Sequence {...spread({ colour: undefined })} />)).toBe("");
  });
});
