import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CLI_MAIN, Workspace } from "./support/treadle.js";
import { HEAD } from "./support/workflows.js";

/** Ids that a shell, or the parser of options, would take for something else. */
const UGLY = `it's "$HOME" *`;
const OPTION = "--yes";

const BLOCKED = `${HEAD}
const row = z.object({});
const api = createService({
  ask: z.object({ approved: z.boolean(), note: z.string().nullable(), decidedBy: z.string().nullable(), decidedAt: z.string().nullable() }),
  pick: z.object({ selected: z.string(), notes: z.string().nullable() }),
  order: z.object({ ranked: z.array(z.string()), notes: z.string().nullable() }),
  paid: z.object({}), row,
});
const { Workflow, Task, Parallel, Approval, Signal, WaitForEvent, Timer, Subflow, service, outputs } = api;
const ugly = ${JSON.stringify(UGLY)};
const options = [{ key: "a b", label: "A" }, { key: "c", label: "C" }];
const child = service(() => (
  <Workflow name="child">
    <Parallel>
      <Approval id={"in child " + ugly} output={outputs.ask} request={{ title: "Child?" }} />
      <Signal id={"child-signal " + ugly} schema={outputs.paid} />
    </Parallel>
  </Workflow>
));
export default service(() => (
  <Workflow name="blocked">
    <Parallel>
      <Approval id={ugly} output={outputs.ask} request={{ title: "Plain?" }} />
      <Approval id="${OPTION}" output={outputs.ask} request={{ title: "Option?" }} allowedScopes={["ops team"]} />
      <Approval id="pick" mode="select" options={options} output={outputs.pick} request={{ title: "Which?" }} />
      <Approval id="order" mode="rank" options={options} output={outputs.order} request={{ title: "Order?" }} />
      <Signal id={"signal " + ugly} schema={outputs.paid} />
      <WaitForEvent id="event" event="-paid" correlationId={ugly} output={outputs.paid} />
      <Timer id="timer" duration="2h" />
      <Subflow id="sub" workflow={child} output={outputs.row} />
    </Parallel>
  </Workflow>
));
`;

const FAILING = `${HEAD}
const { Workflow, Task, service, outputs } = createService({ row: z.object({ n: z.number() }) });
export default service(() => (
  <Workflow name="failing"><Task id={${JSON.stringify(UGLY)}} retries={0} output={outputs.row}>{() => { throw new Error("no"); }}</Task></Workflow>
));
`;

interface Listed {
  blockers: { kind: string; fix?: string }[];
}

it("every command that why and inbox suggest works as it stands, whatever the ids are", {
  timeout: 240_000,
}, async () => {
  const workspace = new Workspace({ "the flows/blocked.tsx": BLOCKED, "the flows/failing.tsx": FAILING });
  const db = "the flows/service.db";
  const first = await workspace.treadle(["up", "blocked.tsx", "--no-wait", "--run-id=-b"], {
    cwd: "the flows",
  });
  expect(first.code, first.stderr).toBe(3);
  await workspace.treadle(["up", "failing.tsx", "--run-id", "f"], { cwd: "the flows" });
  const whyOf = async (runId: string): Promise<Listed> => {
    const { stdout, stderr } = await workspace.treadle(["why", "--json", "--db", db, "--", runId]);
    expect(stderr).toBe("");
    return JSON.parse(stdout) as Listed;
  };
  const suggested = new Map<string, string>();
  for (const runId of ["-b", "f"]) {
    const document = await whyOf(runId);
    for (const { kind, fix } of document.blockers) if (fix !== undefined) suggested.set(fix, kind);
  }
  const inbox = await workspace.json<{ items: { kind: string; fix: string }[] }>(["inbox", "--db", db]);
  for (const { kind, fix } of inbox.document.items) suggested.set(fix, kind);
  expect(new Set(suggested.values())).toEqual(new Set(["approval", "event", "timer", "failed-task"]));
  expect([...suggested.values()].filter((kind) => kind === "approval")).toHaveLength(5);
  expect([...suggested.values()].filter((kind) => kind === "event")).toHaveLength(3);

  mkdirSync(workspace.path("bin"));
  writeFileSync(workspace.path("bin/treadle"), `#!/bin/sh\nexec '${process.execPath}' '${CLI_MAIN}' "$@"\n`, {
    mode: 0o755,
  });
  for (const [command, kind] of suggested) {
    expect(command.match(/--db /g), command).toHaveLength(1);
    if (kind === "timer") continue;
    // No person is there to say yes.
    const agreed = command.replace(/^treadle(.*?) approve /, "treadle$1 approve --yes ");
    const { code, output } = await shell(agreed, workspace);
    expect(code, `${agreed}\n${output}`).toBe(kind === "failed-task" ? 1 : 0);
  }
  const document = await whyOf("-b");
  expect(new Set(document.blockers.map(({ kind }) => kind))).toEqual(new Set(["decision-pending", "timer"]));
  const [resume] = document.blockers.flatMap(({ fix }) => fix ?? []);
  const up = await shell(`${resume} --no-wait`, workspace);
  expect(up.code, up.output).toBe(3);
});

function shell(command: string, workspace: Workspace): Promise<{ code: number; output: string }> {
  const env = { PATH: `${workspace.path("bin")}:${process.env.PATH}`, HOME: workspace.folder };
  return new Promise((resolve) => {
    execFile("sh", ["-c", command], { cwd: workspace.folder, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}
