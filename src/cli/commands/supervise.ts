import { statSync } from "node:fs";
import type { DueRun } from "../../operations/supervise-runs.js";
import type { RunRow } from "../../model/run.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { ServiceError } from "../../errors/service-error.js";
import { defineCommand } from "../command.js";
import { jsonLine } from "../output/json-text.js";
import { SIGNAL_EXIT } from "../exit-codes.js";
import { duration, positiveInteger } from "../input/option-values.js";
import { toServiceError } from "../output/error-report.js";
import { formatTable } from "../output/table.js";
import { watchInterrupts } from "../runs/interrupts.js";
import { openWorkspace } from "../runs/workspace.js";

interface SuperviseOptions {
  interval: number;
  maxConcurrent: number;
  dryRun?: boolean;
}

export const supervise = defineCommand<SuperviseOptions>({
  examples: [
    { command: "treadle supervise", meaning: "keep this workspace's runs going until Ctrl-C" },
    { command: "treadle supervise --dry-run", meaning: "which runs it would pick up now" },
    {
      command: "treadle supervise --max-concurrent 8 --interval 5s",
      meaning: "more at once, looking less often",
    },
  ],
  configure(command) {
    command
      .option("--interval <duration>", "time between two looks (default: 1s)", duration("--interval"), 1_000)
      .option("-c, --max-concurrent <n>", "runs driven at once", positiveInteger("--max-concurrent"), 3)
      .option("-n, --dry-run", "only show which runs would be picked up now");
  },
  async run({ terminal, options }) {
    const { interval, maxConcurrent, dryRun = false, json } = options;
    const { store, path } = await openWorkspace(terminal, { ...options, readOnly: dryRun });
    const { findDueRuns, superviseRuns } = await import("../../operations/supervise-runs.js");
    if (dryRun) {
      const due = await findDueRuns(store, Date.now());
      return { json: { runs: due.map(dueDocument) }, text: () => dueTable(due) };
    }
    const { loadRunWorkflow } = await import("../drive/load-run-workflow.js");
    const interrupts = watchInterrupts();
    const say = (event: Record<string, unknown>, text: string) => {
      if (json) terminal.out.line(jsonLine({ atMs: Date.now(), ...event }));
      else terminal.out.line(`${new Date().toISOString()} ${text}`);
    };
    const { surviveStrayErrors, withholdExit } = await import("../../engine/attempt/process-guard.js");
    surviveStrayErrors((error) => {
      const { code, summary } = toServiceError(error);
      say({ event: "stray-error", error: { code, summary } }, `! nobody caught ${code}: ${summary}`);
    });
    withholdExit();
    terminal.err.line(`Looking after the runs of ${path}; Ctrl-C stops and leaves them resumable.`);
    const workflows = createWorkflowCache((run) =>
      loadRunWorkflow(run, { cwd: terminal.cwd, databasePath: path }),
    );
    await superviseRuns(store, {
      workflowFor: workflows,
      intervalMs: interval,
      maxConcurrent,
      signal: interrupts.signal,
      onPickUp: (due) => say({ event: "picked-up", ...dueDocument(due) }, `→ ${due.run.runId} ${due.reason}`),
      onEnd: ({ runId, status }) => say({ event: "left", runId, status }, `· ${runId} ${status}`),
      onError: ({ runId }, error) => {
        const { code, summary } = toServiceError(error);
        say({ event: "error", runId, error: { code, summary } }, `✗ ${runId} ${code}: ${summary}`);
      },
    });
    interrupts.dispose();
    const stopped = interrupts.received();
    return stopped === undefined ? 0 : SIGNAL_EXIT[stopped];
  },
});

function dueDocument({ run, reason }: DueRun) {
  return { runId: run.runId, workflowName: run.workflowName, status: run.status, reason };
}

function dueTable(due: readonly DueRun[]): string {
  if (due.length === 0) return "No run waits for a process.";
  const rows = due.map(({ run, reason }) => [run.runId, run.workflowName, run.status, reason]);
  return formatTable(["RUN", "WORKFLOW", "STATUS", "WHY"], rows);
}

/** Loads each file once, and again when it has changed. Undefined for a run that names no file. */
function createWorkflowCache(
  load: (run: RunRow) => Promise<ServiceWorkflow>,
): (run: RunRow) => Promise<ServiceWorkflow | undefined> {
  const known = new Map<string, { mtimeMs: number; workflow: Promise<ServiceWorkflow> }>();
  return async (run) => {
    const { workflowPath } = run;
    if (workflowPath === null) return undefined;
    const stat = statSync(workflowPath, { throwIfNoEntry: false });
    if (stat === undefined) {
      throw new ServiceError("WORKFLOW_NOT_FOUND", `There is no file ${workflowPath} any more.`, {
        details: { runId: run.runId },
      });
    }
    const cached = known.get(workflowPath);
    if (cached?.mtimeMs === stat.mtimeMs) return cached.workflow;
    const workflow = load(run);
    known.set(workflowPath, { mtimeMs: stat.mtimeMs, workflow });
    // A failed load is tried again: what the file imports may be what was wrong.
    workflow.catch(() => known.delete(workflowPath));
    return workflow;
  };
}
