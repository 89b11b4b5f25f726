import {
  type DamagedRun,
  damagedRun,
  type DueRun,
  openWorkspace,
  shownState,
} from "../../operations/index.js";
import { defineCommand } from "../command.js";
import { SIGNAL_EXIT } from "../exit-codes.js";
import { interval, positiveInteger } from "../input/option-values.js";
import { damageLines } from "../output/damage-text.js";
import { toServiceError } from "../output/error-report.js";
import { formatTable } from "../output/table.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { createCommandText } from "../runs/command-text.js";
import { watchInterrupts } from "../runs/interrupts.js";
import { knownRun } from "../source/known-run.js";

interface SuperviseOptions {
  interval: number;
  maxConcurrent: number;
  dryRun?: boolean;
}

export const supervise = defineCommand<SuperviseOptions>({
  examples: [
    { command: "treadle supervise", meaning: "continue this workspace's runs until Ctrl-C" },
    { command: "treadle supervise --dry-run", meaning: "which runs it would pick up now" },
    {
      command: "treadle supervise --max-concurrent 8 --interval 5s",
      meaning: "more at once, looking less often",
    },
  ],
  gateway: { cannot: "a gateway looks after its own runs" },
  streams: true,
  configure(command) {
    command
      .option(
        "--interval <duration>",
        "time between two looks for dead processes (default: 1s)",
        interval("--interval"),
        1_000,
      )
      .option("--max-concurrent <n>", "runs driven at once", positiveInteger("--max-concurrent"), 3)
      .option("--dry-run", "only show which runs would be picked up now");
  },
  async run(call) {
    const { terminal, options, documents } = call;
    const commandText = createCommandText(call);
    const { interval: intervalMs, maxConcurrent, dryRun = false } = options;
    const { store, path } = await openWorkspace(terminal, { ...options, readOnly: dryRun });
    if (dryRun) {
      const { findDueRuns } = await import("../../operations/supervise/due-runs.js");
      const damaged: DamagedRun[] = [];
      const onDamage = (runId: string, error: unknown) => damaged.push(damagedRun(runId, error));
      const nowMs = store.clock.now();
      const due = await findDueRuns(store, nowMs, onDamage);
      return {
        json: { runs: due.map((each) => dueDocument(each, nowMs)), ...(damaged.length > 0 && { damaged }) },
        text: (colors, width) =>
          [dueTable(due, { nowMs, width }), ...damageLines(damaged, colors)].join("\n"),
      };
    }
    const [{ superviseStore }, { loadWorkflowOf }, { createWorkflowFiles }] = await Promise.all([
      import("../../operations/supervise/supervise-store.js"),
      import("../drive/load-run-workflow.js"),
      import("../../operations/supervise/workflow-files.js"),
    ]);
    const interrupts = watchInterrupts();
    const say = (event: Record<string, unknown>, text: string) => {
      if (documents !== undefined) terminal.out.line(documents.streamed({ atMs: Date.now(), ...event }));
      else terminal.out.line(`${new Date().toISOString()} ${text}`);
    };
    const { surviveStrayErrors, withholdExit } = await import("../../engine/attempt/process-guard.js");
    surviveStrayErrors((error) => {
      const { code, summary } = toServiceError(error);
      say({ event: "uncaught-error", error: { code, summary } }, `! uncaught ${code}: ${summary}`);
    });
    withholdExit();
    terminal.err.line(`Looking after the runs of ${path}; Ctrl-C stops and leaves them resumable.`);
    const workflows = createWorkflowFiles((file, calls) =>
      loadWorkflowOf({ cwd: terminal.cwd, databasePath: path, file, ...calls }),
    );
    await superviseStore(store, {
      ...workflows,
      intervalMs,
      maxConcurrent,
      signal: interrupts.signal,
      onPickUp: (due) =>
        say(
          { event: "picked-up", ...dueDocument(due, store.clock.now()) },
          `→ ${due.run.runId} ${due.reason}`,
        ),
      onEnd: ({ runId, status }) => say({ event: "left", runId, status }, `· ${runId} ${status}`),
      onError: (run, error) => {
        const { code, summary } = toServiceError(error);
        const where = run?.runId ?? "database";
        say(
          { event: "error", runId: run?.runId ?? null, error: { code, summary } },
          `✗ ${where} ${code}: ${summary}`,
        );
      },
      onUnknown: (due) =>
        say(
          { event: "unknown", ...dueDocument(due, store.clock.now()) },
          `! ${due.run.runId} ${due.reason}, but it does not say which file it belongs to: ${commandText(treadleCommand("up", ["FILE"], { resume: due.run.runId }))}`,
        ),
    });
    interrupts.dispose();
    const stopped = interrupts.received();
    return stopped === undefined ? 0 : SIGNAL_EXIT[stopped];
  },
});

function dueDocument({ run, reason }: DueRun, nowMs: number) {
  const { runId, workflowName, workflowPath, status } = run;
  return { runId, workflowName, workflowPath, status, runState: knownRun(run, nowMs).runState, reason };
}

function dueTable(due: readonly DueRun[], { nowMs, width }: { nowMs: number; width: number }): string {
  if (due.length === 0) return "No run waits for a process.";
  const rows = due.map(({ run, reason }) => [
    run.runId,
    run.workflowName,
    shownState(knownRun(run, nowMs)),
    reason,
    run.workflowPath ?? "none: a program started it",
  ]);
  return formatTable(["RUN", "WORKFLOW", "STATUS", "WHY", "FILE"], rows, { width, names: ["RUN"] });
}
