import { describe, expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { HEAD } from "../support/workflows.js";

const TASKS = 200;

/** Four of two hundred tasks are at work, one waits for all of them, and beside them people are asked. */
const FAN = `${HEAD}
const { Workflow, Task, Parallel, Approval, service, outputs } = createService({
  ask: z.object({ approved: z.boolean(), note: z.string().nullable(), decidedBy: z.string().nullable(), decidedAt: z.string().nullable() }),
  row: z.object({ n: z.number() }), end: z.object({ n: z.number() }),
});
const all = Array.from({ length: ${TASKS} }, (_, n) => n);
const patient = (_: object, { signal }: any) => new Promise((_, refuse) => signal.addEventListener("abort", () => refuse(signal.reason)));
export default service(() => (
  <Workflow name="fan">
    <Parallel>
      <Parallel id="narrow" maxConcurrency={4}>
        {all.map((n) => <Task key={n} id={"t" + n} output={outputs.row}>{patient}</Task>)}
      </Parallel>
      <Task id="join" output={outputs.end} dependsOn={all.map((n) => "t" + n)}>{{ n: 1 }}</Task>
      {all.map((n) => <Approval key={n} id={"ask" + n} output={outputs.ask} request={{ title: "May " + n + "?" }} />)}
    </Parallel>
  </Workflow>
));
`;

interface Explained {
  blockers: { kind: string; count?: number; nodes?: unknown[]; summary: string }[];
  omittedBlockers?: Record<string, number>;
}

describe("a fan-out of two hundred under a cap, with as many questions", () => {
  it("is explained by cause, decisions first, in a few lines", async () => {
    const workspace = new Workspace({ "fan.tsx": FAN });
    const running = workspace.start(["up", "fan.tsx", "--run-id", "fan"]);
    await running.seen("t3");
    const { stdout } = await workspace.treadle(["why", "fan"]);
    expect(stdout).toMatch(/^1\. ask\d+ waits for a decision/m);
    expect(stdout).toContain(`… and ${TASKS - 10} more of kind approval: treadle inbox`);
    expect(stdout).toContain(
      "t4 could start, but narrow runs at most 4 at a time: t0, t1, t2, t3. The same holds for 195 more: t5, t6, t7, …",
    );
    expect(stdout).toMatch(/join waits for t0 .* 195 more\./);
    expect(stdout.split("\n").length).toBeLessThan(30);

    const { document } = await workspace.json<Explained>(["why", "fan"]);
    expect(document.omittedBlockers).toEqual({ approval: TASKS - 10 });
    const [cap] = document.blockers.filter(({ kind }) => kind === "concurrency");
    expect(cap).toMatchObject({
      count: TASKS - 4,
      nodes: expect.arrayContaining([{ nodeId: "t5", iteration: 0 }]),
    });
    expect(document.blockers[0]?.kind).toBe("approval");
    expect(JSON.stringify(document).length).toBeLessThan(15_000);

    const inspected = await workspace.treadle(["inspect", "fan"]);
    expect(inspected.stdout).toMatch(/· t4 … join, 197 tasks +pending/);
    expect(inspected.stdout).toContain("The same holds for 195 more");
    expect(inspected.stdout.split("\n").length).toBeLessThan(100);
  });
});
