import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { components } from "../../../src/components/components.js";
import type { WorkflowNode } from "../../../src/index.js";
import { ids, outputs, rig, shape, task } from "../../support/render-workflow.js";

const { DecisionTable, Parallel, Task, Workflow } = components;
const note = (id: string) => (
  <Task id={id} output={outputs.note}>
    {{ text: id }}
  </Task>
);
const frameOf = (element: WorkflowNode) => rig(() => <Workflow name="w">{element}</Workflow>).render();
const rule = (when: boolean, id: string, label?: string) => ({
  when,
  then: note(id),
  ...(label !== undefined && { label }),
});

describe("a DecisionTable", () => {
  it("mounts the first rule that matches, under its label", () => {
    const frame = frameOf(
      <DecisionTable id="pay" rules={[rule(false, "a"), rule(true, "b", "large sum"), rule(true, "c")]} />,
    );
    expect(ids(frame)).toEqual(["b"]);
    expect(task(frame, "b").parallelGroupId).toBe("pay-large:20sum");
  });

  it("mounts all that match side by side, each in its own order", () => {
    const frame = frameOf(
      <DecisionTable
        strategy="all-match"
        rules={[
          rule(true, "a"),
          rule(false, "x"),
          {
            when: true,
            then: (
              <>
                {note("b")}
                {note("c")}
              </>
            ),
          },
        ]}
        default={note("none")}
      />,
    );
    expect(shape(frame.plan)).toEqual(["parallel", ["parallel", "a"], ["parallel", ["sequence", "b", "c"]]]);
  });

  it("mounts the default, or nothing, when no rule matches", () => {
    const rules = [rule(false, "a")];
    const withDefault = frameOf(<DecisionTable rules={rules} default={note("none")} />);
    expect(task(withDefault, "none").parallelGroupId).toBe("decision-table-default");
    expect(ids(frameOf(<DecisionTable rules={rules} />))).toEqual([]);
  });

  it("leaves the caps around it as they are", () => {
    const frame = frameOf(
      <Parallel maxConcurrency={1}>
        <DecisionTable rules={[rule(true, "a")]} />
      </Parallel>,
    );
    expect(frame.plan).toMatchObject({ kind: "parallel", cap: 1 });
  });

  it.each([undefined, null, "yes", () => true, Promise.resolve(true)])(
    "refuses a condition that is not true or false: %s",
    (when) => {
      const rules = [rule(true, "a"), rule(when as never, "b")];
      expect(() => frameOf(<DecisionTable id="t" rules={rules} />)).toThrow(
        expect.objectContaining({
          code: "INVALID_INPUT",
          summary: expect.stringMatching(
            /^<DecisionTable id="t"> .*rules\[1\]\.when=.*expected true or false/,
          ),
        }),
      );
    },
  );

  it("decides anew when the rows that it reads change", async () => {
    const module = createService({
      total: z.object({ total: z.number() }),
      output: z.object({ by: z.string() }),
    });
    const by = (id: string) => (
      <module.Task id={id} output={module.outputs.output}>
        {{ by: id }}
      </module.Task>
    );
    const run = testWorkflow(
      module.service((ctx) => {
        const row = ctx.outputMaybe("total", { nodeId: "count" });
        return (
          <module.Workflow name="pay">
            <module.Sequence>
              <module.Task id="count" output={module.outputs.total}>
                {() => ({ total: 500 })}
              </module.Task>
              <module.DecisionTable
                skipIf={false}
                rules={[
                  { when: row !== undefined && row.total > 100, then: by("manager") },
                  { when: row !== undefined, then: by("clerk") },
                ]}
              />
            </module.Sequence>
          </module.Workflow>
        );
      }),
    );
    expect((await run.run()).output).toEqual({ by: "manager" });
  });
});
