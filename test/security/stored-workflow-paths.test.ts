import { existsSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.js";
import { Workspace } from "../cli/support/treadle.js";
import { HEAD } from "../cli/support/workflows.js";

const FLOW = `${HEAD}
const { Workflow, Task, Sequence, Parallel, Approval, Signal, service, outputs } = createService({
  row: z.object({ n: z.number() }),
  decision: z.looseObject({}),
  go: z.object({ n: z.number() }),
});
export default service(() => (
  <Workflow name="copied">
    <Sequence>
      <Task id="one" output={outputs.row}>{{ n: 1 }}</Task>
      <Parallel>
        <Approval id="ship" output={outputs.decision} request={{ title: "Ship?" }} />
        <Approval id="sell" output={outputs.decision} request={{ title: "Sell?" }} />
        <Signal id="go" schema={outputs.go} />
      </Parallel>
    </Sequence>
  </Workflow>
));
`;

/**
 * A database that came along with other files: its run names a workflow file, which leaves a mark as soon as it is loaded.
 * The tasks are those of the run, so no resume finds a change.
 */
async function copied() {
  const workspace = new Workspace({ "flow.tsx": FLOW });
  await workspace.treadle(["up", "flow.tsx", "--run-id", "r", "--no-wait"]);
  const mark = workspace.path("loaded");
  workspace.write(
    "flow.tsx",
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "");\n${FLOW}`,
  );
  return { workspace, isLoaded: () => existsSync(mark), forget: () => rmSync(mark, { force: true }) };
}

/** What looks, previews, decides or signals, by command. */
const LOADS_NOTHING: Record<string, readonly (readonly string[])[]> = {
  ps: [["ps"]],
  inspect: [["inspect", "r"]],
  why: [["why", "r"]],
  output: [["output", "r", "one"]],
  node: [["node", "r", "one"]],
  scores: [["scores", "r"]],
  events: [["events", "r"]],
  logs: [["logs", "r"]],
  timeline: [["timeline", "r"]],
  frame: [["frame", "r"]],
  diff: [["diff", "r", "1"]],
  fork: [
    ["fork", "r", "--dry-run"],
    ["fork", "r", "--reset", "one"],
  ],
  replay: [["replay", "r", "--dry-run"]],
  rewind: [
    ["rewind", "r", "1", "--dry-run"],
    ["rewind", "r", "1", "--yes"],
  ],
  inbox: [["inbox"]],
  "retry-task": [
    ["retry-task", "r", "one", "--dry-run"],
    ["retry-task", "r", "one", "--dry-run", "--accept-workflow-change"],
    ["retry-task", "r", "ship", "--dry-run", "--no-dependents"],
  ],
  retry: [["retry", "--status", "failed", "--dry-run"]],
  supervise: [["supervise", "--dry-run"]],
  approve: [["approve", "r", "ship", "--yes"]],
  deny: [["deny", "r", "sell", "--yes"]],
  signal: [
    ["signal", "r", "go", "--data", '{"n":1}', "--dry-run"],
    ["signal", "r", "go", "--data", '{"n":1}'],
  ],
  hijack: [["hijack", "r", "--no-launch"]],
  memory: [["memory", "list"]],
  cron: [["cron", "list"]],
  webhooks: [["webhooks", "list", "flow"]],
  cancel: [["cancel", "r", "--yes"]],
  "complete-task": [["complete-task", "r", "one", "--data", "{}", "--yes"]],
  "skip-task": [["skip-task", "r", "one", "--yes"]],
  prune: [["prune", "--older-than", "0s", "--dry-run"]],
  doctor: [["doctor"]],
  db: [
    ["db", "copy", "service.db", "copy.db"],
    ["db", "migrate", "service.db", "--dry-run"],
  ],
  workers: [["workers"]],
  up: [
    ["up", "--resume", "r", "--dry-run"],
    ["up", "--resume", "--dry-run"],
  ],
};

/** What a person names a workflow's file for, or what has nothing to do with runs. */
const OTHERS = [
  "init",
  "graph",
  "workflow",
  "dev",
  "gateway",
  "console",
  "agents",
  "openapi",
  "trust",
  "worker",
];

describe("a workflow file that a stored run names", () => {
  it.each(
    Object.values(LOADS_NOTHING)
      .flat()
      .map((args) => [args.join(" "), args] as const),
  )("is not loaded by %s", async (_, args) => {
    const { workspace, isLoaded } = await copied();
    const { stderr } = await workspace.treadle(args);
    expect(stderr).not.toContain("CLI_USAGE");
    expect(isLoaded()).toBe(false);
  });

  it("is not loaded before the person who resets a task has seen what would run again, and agreed", async () => {
    const { workspace, isLoaded } = await copied();
    const { stderr } = await workspace.treadle(["retry-task", "r", "one"]);
    expect(stderr).toContain("These would run again:\none\nship\nsell\ngo");
    expect(isLoaded()).toBe(false);
  });

  it("is loaded by who continues the run or resets its tasks", async () => {
    const { workspace, isLoaded, forget } = await copied();
    await workspace.treadle(["retry-task", "r", "one", "--yes"]);
    expect(isLoaded()).toBe(true);
    forget();
    await workspace.treadle(["up", "--resume", "r", "--no-wait"]);
    expect(isLoaded()).toBe(true);
  });

  it("is looked for here under every command", () => {
    expect([...Object.keys(LOADS_NOTHING), ...OTHERS].sort()).toEqual(Object.keys(commandTable).sort());
  });
});

it("a preview of a retry without the workflow's file says what the reset then does", async () => {
  const workspace = new Workspace({ "flow.tsx": FLOW });
  await workspace.treadle(["up", "flow.tsx", "--run-id", "r", "--no-wait"]);
  const flow = readFileSync(workspace.path("flow.tsx"), "utf8");
  rmSync(workspace.path("flow.tsx"));
  const preview = await workspace.json<{ resetNodes: string[] }>(["retry-task", "r", "one", "--dry-run"]);
  expect(preview.document.resetNodes).toEqual(["one::0", "ship::0", "sell::0", "go::0"]);
  workspace.write("flow.tsx", flow);
  const { document } = await workspace.json<{ resetNodes: string[] }>(["retry-task", "r", "one", "--yes"]);
  expect(document.resetNodes).toEqual(preview.document.resetNodes);
});
