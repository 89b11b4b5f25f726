import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { RunOptions } from "../../src/model/run-options.js";
import { callIn } from "./support/in-process.js";
import { Workspace } from "./support/treadle.js";
import { HEAD } from "./support/workflows.js";

/** The flag of each option of a run; null for one that a person does not type, with the reason in docs/cli.md. */
const FLAGS: Readonly<Record<keyof RunOptions, string | null>> = {
  runId: "--run-id",
  parentRunId: null,
  input: "--input",
  maxConcurrency: "--max-concurrency",
  maxInterruptions: "--max-interruptions",
  queue: "--queue",
  requireRerenderOnOutputChange: null,
  onProgress: null,
  signal: null,
  resume: "--resume",
  force: "--force",
  acceptWorkflowChange: "--accept-workflow-change",
  followContinuation: null,
  workflowPath: null,
  rootDir: "--root",
  logDir: "--log-dir",
  recordVcs: "--no-record-vcs",
  allowNetwork: "--allow-network",
  toolIsolation: "--tool-isolation",
  writable: "--writable",
  maxOutputBytes: "--max-output-bytes",
  toolTimeoutMs: "--tool-timeout",
  scorerTimeoutMs: "--scorer-timeout",
  annotations: "--annotations",
  auth: null,
  config: "--config",
  cliAgentToolsDefault: "--agent-tools",
  hot: "--hot",
  initialOutputs: null,
  initialIteration: null,
  initialIterations: null,
  resumeClaim: null,
};

const CONFIGURED = `${HEAD}
const { Workflow, Task, service, outputs } = createService({ output: z.object({ from: z.string() }) });
export default service((ctx) => (
  <Workflow name="configured">
    <Task id="t" output={outputs.output}>{() => ({ from: JSON.stringify(ctx.config) })}</Task>
  </Workflow>
));
`;

describe("an option of a run", () => {
  it("has a flag of up, or a reason in docs/cli.md", async () => {
    const { stdout } = await callIn(process.cwd(), ["up", "--help", "--json"]);
    const { options } = JSON.parse(stdout) as { options: { flags: string }[] };
    const known = options.map(({ flags }) => /--[a-z-]+/.exec(flags)?.[0]);
    const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
    const without = /\*\*Options without a flag\.\*\*[^]*?\n\n/.exec(page)?.[0] ?? "";
    for (const [option, flag] of Object.entries(FLAGS)) {
      if (flag === null) expect(without, option).toContain(`\`${option}\``);
      else expect(known, option).toContain(flag);
    }
  });

  it("reaches the run and is kept with it", async () => {
    const workspace = new Workspace({ "w.tsx": CONFIGURED, "config.json": '{"region":"north"}' });
    const flags = [
      "--config",
      "@config.json",
      "--writable",
      ".env",
      "--writable",
      "keys",
      "--log-dir",
      "logs",
    ];
    const bounds = [
      "--tool-timeout",
      "5s",
      "--scorer-timeout",
      "7s",
      "--max-output-bytes",
      "1000",
      "--max-interruptions",
      "0",
    ];
    const place = ["--queue", "large"];
    const rights = ["--agent-tools", "explicit-only", "--allow-network", "--tool-isolation", "none"];
    const { document } = await workspace.json([
      "up",
      "w.tsx",
      "--run-id",
      "c",
      ...flags,
      ...bounds,
      ...rights,
      ...place,
    ]);
    expect(document).toMatchObject({ status: "finished", output: { from: '{"region":"north"}' } });
    expect(readFileSync(workspace.path("logs/c.ndjson"), "utf8")).toContain('"RunFinished"');
    const { openExisting } = await import("../../src/store/open-existing.js");
    const store = openExisting(workspace.path("service.db"), { readOnly: true });
    const run = await store.getRun("c");
    await store.close();
    expect(run?.config).toMatchObject({
      config: { region: "north" },
      writable: [".env", "keys"],
      toolTimeoutMs: 5_000,
      scorerTimeoutMs: 7_000,
      maxOutputBytes: 1_000,
      maxInterruptions: 0,
      queue: "large",
      cliAgentToolsDefault: "explicit-only",
      allowNetwork: true,
      toolIsolation: "none",
    });
  });
});
