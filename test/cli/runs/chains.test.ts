import { describe, expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { HEAD } from "../support/workflows.js";

/** Hands over to a next run twice, and waits in that. */
const CHAIN = `${HEAD}
const { Workflow, Sequence, Branch, ContinueAsNew, Signal, service, outputs } = createService({ row: z.object({ n: z.number() }) });
export default service((ctx) => {
  const page = (ctx.continuation as { page?: number } | undefined)?.page ?? 0;
  return (
    <Workflow name="chain">
      <Branch if={page < 2} then={<ContinueAsNew state={{ page: page + 1 }} />} else={<Signal id="go" schema={outputs.row} />} />
    </Workflow>
  );
});
`;

interface Listed {
  runs: { runId: string; status: string; continuedFrom: string | null; nextRunId: string | null }[];
}

async function chain() {
  const workspace = new Workspace({ "chain.tsx": CHAIN });
  const { stderr } = await workspace.treadle(["up", "chain.tsx", "--run-id", "first", "--no-wait"]);
  expect(stderr).toContain("waiting-event");
  return workspace;
}

describe("a run that continued as new", () => {
  it("is one line of ps, which unfolds", async () => {
    const workspace = await chain();
    const folded = (await workspace.json<Listed>(["ps"])).document.runs;
    expect(folded).toMatchObject([{ status: "waiting-event", nextRunId: null }]);
    const all = (await workspace.json<Listed>(["ps", "--chains"])).document.runs;
    expect(all.map(({ status }) => status).sort()).toEqual(["continued", "continued", "waiting-event"]);
    const [newest, , oldest] = all;
    expect(oldest).toMatchObject({ runId: "first", continuedFrom: null });
    expect(newest?.continuedFrom).toBe(all[1]?.runId);
    const text = (await workspace.treadle(["ps"])).stdout;
    expect(text).toContain(`continues ${newest?.continuedFrom}`);
    expect((await workspace.treadle(["ps", "--chains"])).stdout).toContain(`continues as ${newest?.runId}`);
  });

  it("is cancelled by the id that it was started with", async () => {
    const workspace = await chain();
    const [newest] = (await workspace.json<Listed>(["ps"])).document.runs;
    const dry = await workspace.treadle(["cancel", "first", "--dry-run"]);
    expect(dry.stdout).toContain("Would cancel the run that continues first");
    const { document } = await workspace.json(["cancel", "first"]);
    expect(document).toMatchObject({ runId: newest?.runId, status: "cancelled" });
    const again = await workspace.json(["cancel", "first"]);
    expect(again).toMatchObject({ code: 4, document: { error: { details: { status: "cancelled" } } } });
  });
});
