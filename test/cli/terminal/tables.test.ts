import { expect, it } from "vitest";
import { visibleWidth } from "../../../src/cli/output/table.js";
import { TerminalSession } from "../support/pty.js";
import { ProcessWorkspace } from "../support/treadle.js";
import { HEAD } from "../support/workflows.js";

const RUN = "a-run-with-an-id-of-26-chr";

/** One task fails with much to say, and one waits for a person. */
const WORDY = `${HEAD}
const { Workflow, Parallel, Task, Approval, service, outputs } = createService({
  row: z.object({ n: z.number() }),
  decision: z.object({ approved: z.boolean(), note: z.string().nullable(), decidedBy: z.string().nullable(), decidedAt: z.string().nullable() }),
});
export default service(() => (
  <Workflow name="流水线-of-a-team-with-a-long-name">
    <Parallel>
      <Task id="breaks" output={outputs.row} noRetry continueOnFail>
        {() => {
          throw new Error("the neighbour is silent");
        }}
      </Task>
      <Approval id="ask" output={outputs.decision} request={{ title: "Ship what has been built for every customer at once?" }} />
    </Parallel>
  </Workflow>
));
`;

const LISTS = [["ps"], ["inspect", RUN], ["inbox"], ["memory", "list"], ["cron", "list"]];

it("lists fit a narrow terminal with the ids of runs whole, and are whole in a pipe", async () => {
  const workspace = new ProcessWorkspace({ ".service/workflows/wordy.tsx": WORDY });
  const file = ".service/workflows/wordy.tsx";
  await workspace.run(["up", file, "--run-id", RUN, "--no-wait"]);
  await workspace.run([
    "memory",
    "set",
    "habit",
    "much to remember ".repeat(3),
    "--namespace",
    "workflow:team",
  ]);
  await workspace.run([
    "cron",
    "create",
    "wordy",
    "0 9 * * *",
    "--time-zone",
    "America/Argentina/Buenos_Aires",
  ]);
  for (const list of LISTS) {
    const { stdout } = await workspace.run(list);
    expect(stdout, list.join(" ")).not.toMatch(/\S…/);
    expect(Math.max(...stdout.split("\n").map(visibleWidth)), list.join(" ")).toBeGreaterThan(72);

    const screen = TerminalSession.treadle(list, workspace.folder, { columns: 72, rows: 24 });
    await screen.ended();
    const start = screen.lines.findIndex((line) => /^ *[A-Z]+ /.test(line));
    const end = screen.lines.indexOf("", start);
    const lines = screen.lines.slice(start, end < 0 ? undefined : end);
    expect(lines.length, list.join(" ")).toBeGreaterThan(1);
    expect(lines.filter((line) => visibleWidth(line) >= 72)).toEqual([]);
    expect(screen.lines.join("\n").includes(RUN)).toBe(stdout.includes(RUN));
  }
});
