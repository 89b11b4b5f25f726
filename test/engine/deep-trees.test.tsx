import type { ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type ExternalNode, externalElement } from "../../src/components/external/external-element.js";
import { runWorkflow } from "../../src/index.js";
import { MOST_LEVELS } from "../../src/model/tree-depth.js";
import { renderPrompt } from "../../src/renderer/render-prompt.js";
import { openScene } from "../support/engine/scene.js";

const scene = () => openScene({ output: z.object({ prompt: z.string() }) }).api;

/** A workflow of so many levels: itself, sequences, and a task at the bottom. */
function nested(levels: number) {
  const { Workflow, Sequence, Task, outputs, service } = scene();
  let tree: ReactElement = (
    <Task id="deepest" output={outputs.output}>
      {{ prompt: "done" }}
    </Task>
  );
  for (let level = 2; level < levels; level += 1) tree = <Sequence>{tree}</Sequence>;
  return service(() => <Workflow name="deep">{tree}</Workflow>);
}

function nestedProse(levels: number): ReactElement {
  let prose = <b>ground</b>;
  for (let level = 1; level < levels; level += 1) prose = <div>{prose}</div>;
  return prose;
}

function catching(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

const tooDeep = { code: "TREE_TOO_DEEP", details: { depth: MOST_LEVELS + 1, limit: MOST_LEVELS } };

describe("elements within one another", () => {
  it("run down to the last level that there may be", async () => {
    const run = await runWorkflow(nested(MOST_LEVELS), { input: {} });
    expect(run).toMatchObject({ status: "finished", output: { prompt: "done" } });
  });

  it.each([MOST_LEVELS + 1, 2_000])(
    "are refused below it by the first element there: %d levels",
    async (levels) => {
      const error: unknown = await runWorkflow(nested(levels), { input: {} }).catch((thrown) => thrown);
      expect(error).toMatchObject(tooDeep);
      expect(String(error)).toContain(levels === 2_000 ? "<Sequence>" : '<Task id="deepest">');
    },
  );

  it("are refused where a component mounts itself without an end", async () => {
    const { Workflow, Sequence, service } = scene();
    const Endless = () => (
      <Sequence>
        <Endless />
      </Sequence>
    );
    const workflow = service(() => (
      <Workflow name="endless">
        <Endless />
      </Workflow>
    ));
    await expect(runWorkflow(workflow, { input: {} })).rejects.toMatchObject(tooDeep);
  });

  it.each([MOST_LEVELS + 1, 2_000])("are refused in a tree from outside: %d levels", (levels) => {
    let node: ExternalNode = { tag: "task", props: { id: "deepest", output: "output" } };
    for (let level = 1; level < levels; level += 1) node = { tag: "sequence", children: [node] };
    expect(catching(() => externalElement(node))).toMatchObject(tooDeep);
  });
});

describe("markup within one another", () => {
  it("is a prompt down to the last level that there may be", () => {
    expect(renderPrompt(nestedProse(MOST_LEVELS))).toBe("**ground**");
  });

  it.each([MOST_LEVELS + 1, 2_000])("is refused below it: %d levels", (levels) => {
    expect(catching(() => renderPrompt(nestedProse(levels)))).toMatchObject(tooDeep);
  });

  it("is refused in the prompt of a task, with the levels around the task", async () => {
    const { Workflow, Task, outputs, service } = scene();
    const agent = { id: "never", generate: async () => ({ text: "" }) };
    const workflow = service(() => (
      <Workflow name="prose">
        <Task id="ask" output={outputs.output} agent={agent}>
          {nestedProse(MOST_LEVELS - 1)}
        </Task>
      </Workflow>
    ));
    await expect(runWorkflow(workflow, { input: {} })).rejects.toMatchObject(tooDeep);
  });
});
