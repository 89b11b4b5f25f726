import { expect, it } from "vitest";
import { approvalDecision, approvalRanking, approvalSelection, approveNode } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const options = [
  { key: "a", label: "A" },
  { key: "b", label: "B" },
];

it.each([
  ["approve", approvalDecision, {}, { approved: true, note: null, decidedBy: "ann" }],
  ["select", approvalSelection, { selected: "b" }, { selected: "b", notes: null }],
  ["rank", approvalRanking, { ranked: ["b", "a"] }, { ranked: ["b", "a"], notes: null }],
] as const)(
  "of mode %s an Approval writes the row that is exported for it",
  async (mode, row, answer, written) => {
    const scene = openScene({ row });
    const { Workflow, Approval, outputs, service } = scene.api;
    const choice = mode === "approve" ? {} : { options };
    const workflow = service(() => (
      <Workflow name="asking">
        <Approval id="ask" mode={mode} {...choice} output={outputs.row} request={{ title: "?" }} />
      </Workflow>
    ));
    await scene.drive(workflow);
    const { ranked, ...rest } = { ranked: undefined, ...answer };
    const request = { runId: "run", nodeId: "ask", decidedBy: "ann", ...rest };
    await approveNode(workflow, ranked === undefined ? request : { ...request, ranked: [...ranked] });
    await scene.resume(workflow);
    expect(await scene.store.readOutput("run", "ask", 0)).toMatchObject(written);
  },
);
