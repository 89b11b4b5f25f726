import { expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";

const flow = ({ name = "flow", last = "old", after = "" } = {}) => `import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, Sequence, Approval, service, outputs } = createService({
  out: z.object({ text: z.string() }),
  decision: z.object({ approved: z.boolean(), note: z.string().nullable(), decidedBy: z.string().nullable(), decidedAt: z.string().nullable() }),
  output: z.object({ text: z.string() }),
});
export default service(() => (
  <Workflow name="${name}">
    <Sequence>
      <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
      <Task id="last" output={outputs.output}>{() => ({ text: "${last}" })}</Task>
      ${after}
    </Sequence>
  </Workflow>
));
`;

it("saves at a run that waits are taken up without starting it again, the workflow's new name included", async () => {
  const workspace = new Workspace({ "flow.tsx": flow() });
  const run = workspace.start(["up", "flow.tsx", "--hot", "--run-id", "h2"]);
  await run.seen("stays");
  workspace.write("flow.tsx", flow({ last: "new" }));
  await run.seen("(1 changed");
  const after = '<Task id="more" output={outputs.out}>{{ text: "more" }}</Task>';
  workspace.write("flow.tsx", flow({ last: "new", name: "renamed", after }));
  await run.seen("(1 added");
  await workspace.treadle(["approve", "h2", "ok", "--yes"]);
  const { code, stderr } = await run.done;
  expect({ code, stays: stderr.split("stays:").length - 1 }).toEqual({ code: 0, stays: 1 });
  expect(stderr.match(/▶ .*/g)).toEqual(["▶ flow h2", "▶ renamed h2 continues"]);
  const { stdout } = await workspace.treadle(["events", "h2", "--json"]);
  const types = stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
  const count = (type: string) => types.filter((each) => each === type).length;
  expect([count("RunStarted"), count("WorkflowReloadDetected"), count("WorkflowReloaded")]).toEqual([
    2, 2, 2,
  ]);
  expect(types.indexOf("WorkflowReloaded")).toBeLessThan(types.lastIndexOf("RunStarted"));
  const { document } = await workspace.json(["inspect", "h2"]);
  expect(JSON.stringify(document)).toContain('"workflowName":"renamed"');
});
