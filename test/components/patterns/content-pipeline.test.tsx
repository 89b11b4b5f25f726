import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { components } from "../../../src/components/components.js";
import { outputs as rendered, rig } from "../../support/render-workflow.js";

const { Workflow, ContentPipeline, service, outputs } = createService({
  text: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
});

const agent = { id: "agent", generate: async () => ({}) };

describe("a ContentPipeline", () => {
  it("tells each stage the whole task, its own step and what the stage before has made", async () => {
    const run = testWorkflow(
      service(() => (
        <Workflow name="page">
          <ContentPipeline
            stages={[
              { id: "draft", agent, output: outputs.text, label: "Draft it" },
              { id: "cut & polish", agent, output: outputs.text },
              { id: "print", agent: [agent, agent], output: outputs.output },
            ]}
          >
            Write about looms.
          </ContentPipeline>
        </Workflow>
      )),
      {
        agents: {
          "content-pipeline-draft": { text: "one" },
          "content-pipeline-cut:20:26:20polish": { text: "two" },
          "content-pipeline-print": { text: "three" },
        },
      },
    );
    expect((await run.run()).output).toEqual({ text: "three" });
    const [draft = "", polish = "", print = ""] = run.calls.map(({ prompt }) => prompt);
    expect(draft).toContain("Write about looms.");
    expect(draft).toContain("Your step: Draft it");
    expect(polish).toContain("Your step: cut & polish");
    expect(polish).toContain("> Write about looms.");
    expect(polish).toContain('## Result of the step before: Draft it\n\n```json\n{\n  "text": "one"\n}\n```');
    expect(print).toContain('"text": "two"');
    expect(print).not.toContain('"text": "one"');
  });

  it.each([
    [
      "an id that another stage has",
      { id: "a", agent, output: rendered.note },
      /stages\[1\]\.id="a"; expected one that no entry of stages before it has/,
    ],
    ["no agent", { id: "b", output: rendered.note }, /stages\[1\]\.agent=\{undefined\}; expected an agent/],
    [
      "no output",
      { id: "b", agent },
      /stages\[1\]\.output=\{undefined\}; expected one of the workflow's outputs/,
    ],
    [
      "an unknown field",
      { id: "b", agent, output: rendered.note, lable: "x" },
      /stages\[1\]=.*a stage \{id, agent, output, label\?\}, and no field "lable" \(did you mean "label"\?\)/,
    ],
  ])("refuses a stage with %s in the first frame", (_what, stage, message) => {
    const flow = rig(() => (
      <components.Workflow name="w">
        <components.ContentPipeline stages={[{ id: "a", agent, output: rendered.note }, stage as never]} />
      </components.Workflow>
    ));
    expect(() => flow.render()).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", summary: expect.stringMatching(message) }),
    );
  });
});
