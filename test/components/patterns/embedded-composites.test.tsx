import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, it } from "vitest";
import { z } from "zod";

const schemas = {
  opinion: z.object({ vote: z.string() }),
  escalation: z.object({ escalated: z.boolean(), fromLevel: z.int(), toLevel: z.int() }),
  classification: z.object({ classifications: z.array(z.object({ category: z.string() })) }),
  note: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
};
const parent = createService(schemas);
const child = createService(schemas);
const agent = { id: "agent", generate: async () => ({}) };
const { outputs } = child;

const embedded = child.service(() => (
  <child.Workflow name="child">
    <child.Panel
      panelists={[agent]}
      moderator={agent}
      panelistOutput={outputs.opinion}
      moderatorOutput={outputs.note}
      strategy="vote"
    >
      Shall we?
    </child.Panel>
    <child.EscalationChain
      levels={[
        { agent, output: outputs.opinion, escalateIf: ({ vote }) => vote === "unsure" },
        { agent, output: outputs.opinion },
      ]}
      escalationOutput={outputs.escalation}
    >
      Settle it.
    </child.EscalationChain>
    <child.ClassifyAndRoute
      items={["one"]}
      categories={{ bug: agent }}
      classifierAgent={agent}
      classifierOutput={outputs.classification}
      routeOutput={outputs.output}
    />
  </child.Workflow>
));

it("composites of an inline subflow read their rows in the workflow around it", async () => {
  const { Workflow, Subflow, service } = parent;
  const run = testWorkflow(
    service(() => (
      <Workflow name="parent">
        <Subflow id="sub" workflow={embedded} mode="inline" output={parent.outputs.output} />
      </Workflow>
    )),
    {
      agents: {
        "panel-panelist-0": { vote: "yes" },
        "panel-moderator": { text: "Yes." },
        "escalation-level-0": { vote: "unsure" },
        "escalation-level-1": { vote: "sure" },
        "classify-and-route-classify": { classifications: [{ category: "bug" }] },
        "classify-and-route-route-0": { text: "mended" },
      },
    },
  );
  expect(await run.run()).toMatchObject({ status: "finished" });
  expect(run.prompt("panel-moderator")).toContain('"decision": "yes"');
  expect(run.prompt("escalation-level-1")).toContain('"vote": "unsure"');
  expect(run.prompt("classify-and-route-route-0")).toContain('"one"');
});
