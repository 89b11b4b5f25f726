import { forEachRun } from "../../operations/index.js";
import { isWaiting } from "../../model/run.js";
import { actOnMany } from "../bulk/act-on-many.js";
import { addSelectionOptions, refuseFilters, type SelectionOptions, selected } from "../bulk/selection.js";
import { defineCommand } from "../command.js";
import { SIGNAL_EXIT, type StopSignal } from "../exit-codes.js";
import { positiveInteger } from "../input/option-values.js";
import { toServiceError } from "../output/error-report.js";
import type { Colors } from "../output/styles.js";
import { watchInterrupts } from "../runs/interrupts.js";
import { openPlace } from "../source/open-place.js";
import type { Place } from "../source/place.js";

interface RetryOptions extends SelectionOptions {
  acceptWorkflowChange?: boolean;
  force?: boolean;
  maxConcurrent: number;
  dryRun?: boolean;
  yes?: boolean;
}

export const retry = defineCommand<RetryOptions>({
  examples: [
    { command: "treadle retry --status failed --dry-run", meaning: "which runs would be continued" },
    {
      command: "treadle retry --workflow deploy --older-than 1h --yes",
      meaning: "continue the failed runs of deploy, three at once",
    },
    { command: "treadle retry k3j2 m8w1 --yes", meaning: "continue these two" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .argument("[runs...]", "ids of runs, or unique starts of them")
      .option("--accept-workflow-change", "continue although the workflow has changed since")
      .option("--force", "take runs over even if a process seems to drive them");
    addSelectionOptions(command, "failed")
      .option("--max-concurrent <n>", "runs driven at once", positiveInteger("--max-concurrent"), 3)
      .option("--dry-run", "only show which runs would be continued")
      .option("-y, --yes", "do not ask");
  },
  async run(call) {
    const { options, args, terminal } = call;
    const named = args[0] as readonly string[];
    if (named.length > 0) refuseFilters(options);
    const place = await openPlace(call, { readOnly: options.dryRun === true });
    const list =
      named.length > 0
        ? { runs: await Promise.all(named.map((reference) => place.findRun({ run: reference }))) }
        : await selected(call, { list: place.listRuns, states: ["failed"] });
    let stopped: StopSignal | undefined;
    const result = await actOnMany(call, {
      list,
      question: (count) => `Continue ${count === 1 ? "this run" : `these ${count} runs`}?`,
      nothing: "Nothing was continued.",
      done: options.gateway === undefined ? "have got on" : "continue",
      async act(runIds, onResult) {
        if (options.gateway === undefined) await beDriver(terminal.err.line.bind(terminal.err));
        // Not before: to the question Ctrl-C is an answer.
        const { signal, received, dispose } = watchInterrupts();
        try {
          return await forEachRun(runIds, {
            act: (runId) => continueOne(place, runId, { ...options, signal }),
            concurrency: options.maxConcurrent,
            onResult,
            signal,
          });
        } finally {
          dispose();
          stopped = received();
        }
      },
      line: resultLine,
      isGood: ({ status }) => status !== "failed",
    });
    return stopped === undefined ? result : SIGNAL_EXIT[stopped];
  },
});

/** A run that was continued, and where it stands. */
type ResumedRun = Awaited<ReturnType<Place["resumeRun"]>>;

function continueOne(
  place: Place,
  runId: string,
  { force = false, acceptWorkflowChange = false, signal }: Partial<RetryOptions> & { signal: AbortSignal },
): Promise<ResumedRun> {
  return place.resumeRun({ runId, force, acceptWorkflowChange, signal });
}

/** Many runs share this process: what goes wrong in one must not end the others. */
async function beDriver(say: (line: string) => void): Promise<void> {
  const { surviveStrayErrors, withholdExit } = await import("../../engine/attempt/process-guard.js");
  surviveStrayErrors((error) => {
    const { code, summary } = toServiceError(error);
    say(`! uncaught ${code}: ${summary}`);
  });
  withholdExit();
}

function resultLine({ runId, status }: ResumedRun, colors: Colors): string {
  if (status === "failed") return `${colors.red("✗")} ${runId} failed again`;
  if (status === "running") return `${colors.cyan("→")} ${runId} continues`;
  return `${isWaiting(status) ? colors.yellow("…") : colors.green("✓")} ${runId} ${status}`;
}
