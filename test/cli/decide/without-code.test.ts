import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { HEAD } from "../support/workflows.js";

const FLOW = `${HEAD}
const { Workflow, Parallel, Approval, HumanTask, Signal, WaitForEvent, service, outputs } = createService({
  decision: z.object({ approved: z.boolean() }),
  answer: z.object({ amount: z.number().min(1) }),
});
export default service(() => (
  <Workflow name="asking">
    <Parallel>
      <Approval id="ship" output={outputs.decision} request={{ title: "Ship it?" }} />
      <Approval id="stop" output={outputs.decision} request={{ title: "Stop it?" }} onDeny="continue" />
      <HumanTask id="fill" output={outputs.answer} prompt="How much?" />
      <Signal id="paid" schema={outputs.answer} />
      <WaitForEvent id="own" event="own" output={outputs.answer} outputSchema={z.object({ amount: z.literal(7) })} />
    </Parallel>
  </Workflow>
));
`;

/** A database as it may come with a repository: its run names a file that says when it is loaded. */
async function foreign() {
  const workspace = new Workspace({ "flow.tsx": FLOW });
  await workspace.treadle(["up", "flow.tsx", "--run-id", "r"]);
  const trace = JSON.stringify(workspace.path("ran"));
  workspace.write("flow.tsx", `import { writeFileSync } from "node:fs"; writeFileSync(${trace}, "");${FLOW}`);
  return workspace;
}

it("answers and looks load no code, and what does not fit is refused all the same", async () => {
  const workspace = await foreign();
  const code = async (...args: string[]) => (await workspace.treadle(args)).code;
  for (const data of ["{}", '{"amount":"much"}', '{"amount":0}']) {
    expect(await code("approve", "r", "fill", "--data", data, "--yes")).toBe(4);
    expect(await code("signal", "r", "paid", "--data", data)).toBe(4);
    expect(await code("signal", "r", "own", "--data", data)).toBe(4);
  }
  expect(await code("signal", "r", "own", "--data", '{"amount":8}')).toBe(4);
  expect(await code("signal", "r", "paid", "--data", '{"amount":2}', "--dry-run")).toBe(0);
  for (const args of [["why"], ["inspect"], ["events"], ["logs"], ["timeline"]])
    await workspace.treadle([...args, "r"]);
  expect(await code("approve", "r", "fill", "--data", '{"amount":2}', "--yes")).toBe(0);
  expect(await code("approve", "r", "ship", "--yes")).toBe(0);
  expect(await code("deny", "r", "stop", "--yes")).toBe(0);
  expect(await code("signal", "r", "paid", "--data", '{"amount":2}')).toBe(0);
  expect(await code("signal", "r", "own", "--data", '{"amount":7}')).toBe(0);
  expect(await code("cancel", "r", "--yes")).toBe(0);
  expect(existsSync(workspace.path("ran"))).toBe(false);
});

it("what no schema in JSON can say is checked by the process that continues the run", async () => {
  const workspace = new Workspace({
    "flow.tsx": FLOW.replace(".min(1)", '.refine((n) => n % 2 === 0, "must be even")'),
  });
  await workspace.treadle(["up", "flow.tsx", "--run-id", "r"]);
  expect((await workspace.treadle(["signal", "r", "paid", "--data", '{"amount":3}'])).code).toBe(0);
  const { stdout, stderr } = await workspace.treadle(["up", "--resume", "r"]);
  expect(stdout + stderr).toContain("must be even");
});
