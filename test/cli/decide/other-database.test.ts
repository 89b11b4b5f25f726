import { describe, expect, it } from "vitest";
import { HEAD } from "../support/workflows.js";
import { Workspace } from "../support/treadle.js";

const WAITING = `${HEAD}
const { Workflow, Parallel, Signal, HumanTask, service, outputs } = createService({
  answer: z.object({ n: z.number() }),
});
export default service(() => (
  <Workflow name="waiting">
    <Parallel>
      <Signal id="paid" schema={outputs.answer} />
      <HumanTask id="ask" output={outputs.answer} prompt="How many?" />
    </Parallel>
  </Workflow>
));
`;

interface Blocker {
  kind: string;
  count?: number;
}

describe("what is sent to a run of another database", () => {
  it("arrives there, checked by what its nodes ask for, and nowhere else", async () => {
    const workspace = new Workspace({ "flow.tsx": WAITING });
    await workspace.treadle(["up", "flow.tsx", "--run-id", "r"]);
    await workspace.treadle(["up", "flow.tsx", "--run-id", "r", "--db", "other.db"]);
    const data = ["--data", '{"n":1}', "--db", "other.db"];
    expect(await workspace.treadle(["signal", "r", "paid", ...data])).toMatchObject({ code: 0 });
    expect(await workspace.treadle(["approve", "r", "ask", "--yes", ...data])).toMatchObject({ code: 0 });
    const kinds = async (...args: string[]) =>
      (await workspace.json<{ blockers: Blocker[] }>(["why", "r", ...args])).document.blockers
        .flatMap(({ kind, count = 1 }) => Array<string>(count).fill(kind))
        .toSorted();
    expect(
      (await workspace.treadle(["signal", "r", "paid", "--data", '{"n":""}', "--db", "other.db"])).code,
    ).toBe(4);
    expect(await kinds("--db", "other.db")).toEqual(["decision-pending", "decision-pending"]);
    expect(await kinds()).toEqual(["approval", "event"]);
  });
});
