import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { Workspace } from "./support/treadle.js";
import { HEAD } from "./support/workflows.js";

/** Draws nothing while there is a file `broken` beside it. */
const FLOW = `${HEAD}
import { existsSync } from "node:fs";
const { Workflow, Approval, service, outputs } = createService({ decision: z.object({ approved: z.boolean() }) });
export default service(() => {
  if (existsSync(new URL("broken", import.meta.url))) throw new Error("The tree cannot be drawn.");
  return <Workflow name="waits"><Approval id="ask" output={outputs.decision} request={{ title: "On?" }} /></Workflow>;
});
`;

const statusOf = async (workspace: Workspace) =>
  (await workspace.json<{ status: string }>(["why", "r"])).document.status;

it("`up --resume` of a run whose own code throws at once ends it as failed, and works again once that draws", async () => {
  const workspace = new Workspace({ "flow.tsx": FLOW });
  expect((await workspace.treadle(["up", "flow.tsx", "--run-id", "r", "--no-wait"])).code).toBe(3);
  workspace.write("broken", "");
  const failed = await workspace.treadle(["up", "--resume", "r", "--no-wait"]);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("The tree cannot be drawn.") });
  expect(await statusOf(workspace)).toBe("failed");
  rmSync(workspace.path("broken"));
  expect((await workspace.treadle(["up", "--resume", "r", "--no-wait"])).code).toBe(3);
});

it("other code that throws at once is refused, and the run stays as it was", async () => {
  const workspace = new Workspace({ "flow.tsx": FLOW });
  await workspace.treadle(["up", "flow.tsx", "--run-id", "r", "--no-wait"]);
  workspace.write("flow.tsx", FLOW.replace("if (existsSync", "if (!existsSync"));
  const refused = await workspace.treadle(["up", "--resume", "r", "--no-wait"]);
  expect(refused.stderr).toContain("The tree cannot be drawn.");
  expect(await statusOf(workspace)).toBe("waiting-approval");
});
