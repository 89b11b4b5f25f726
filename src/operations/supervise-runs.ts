import { ServiceError } from "../errors/service-error.js";
import type { RunResult, RunRow } from "../model/run.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { fileIdentity, type Store } from "../store/index.js";
import { storeOf } from "./request/target.js";
import * as rules from "../options/option-rules.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import type { DueRun } from "./supervise/due-runs.js";
import { LOOK_MS, superviseStore } from "./supervise/supervise-store.js";

/** How `superviseRuns` looks for runs, and whom it tells. */
export interface SuperviseOptions {
  /**
   * Ends the supervisor: runs that it drives get five seconds, are released, and can be
   * resumed. Whatever the reason of the abort, none of them is cancelled.
   */
  signal: AbortSignal;
  /**
   * Milliseconds between two looks for processes that have died, while any run is under way; with none, up to five
   * seconds. Writes of other processes are found within a quarter of a second, and a timer when its time has come. @default 1000
   */
  intervalMs?: number;
  /** Runs driven at the same time, of each database. @default 3 */
  maxConcurrent?: number;
  /** A run is taken up: its process died, its time has come, or an answer has arrived. */
  onPickUp?(due: DueRun): void;
  /** A run has ended, or waits again. */
  onEnd?(result: RunResult): void;
  /** A run could not be continued and is tried again later; null: the database could not be read. */
  onError?(run: RunRow | null, error: Error): void;
  /** Once for each run that is due and whose workflow's name is not among `workflows`. */
  onUnknown?(due: DueRun): void;
}

const RULES = {
  signal: rules.required(rules.abortSignal),
  intervalMs: rules.withDefault(rules.positiveInteger, LOOK_MS),
  maxConcurrent: rules.withDefault(rules.positiveInteger, 3),
  onPickUp: rules.callback,
  onEnd: rules.callback,
  onError: rules.callback,
  onUnknown: rules.callback,
} satisfies rules.OptionRules<SuperviseOptions>;

/**
 * Keeps the runs of these workflows going until the signal fires: takes up those whose
 * process has died, whose timer or deadline has come, or that were answered. A run that
 * cannot be continued is tried again, less and less often, and at once when a decision, a
 * signal or other code has come; `explainRun` tells why it could not.
 *
 * @param workflows by the name that they give `<Workflow>`; each in its own database
 * @throws INVALID_INPUT; no error of a run ends it
 * @example
 * const stop = new AbortController();
 * process.once("SIGTERM", () => stop.abort());
 * await superviseRuns({ deploy, report }, { signal: stop.signal });
 */
export async function superviseRuns(
  workflows: Readonly<Record<string, ServiceWorkflow>>,
  options: SuperviseOptions,
): Promise<void> {
  const checked = checkOptions("superviseRuns", options, RULES);
  if (!areNamed(workflows)) refuseOption("workflows", "workflows by their names, as { deploy }", workflows);
  const known = Object.entries(workflows);
  if (known.length === 0) {
    throw new ServiceError("INVALID_INPUT", "superviseRuns was given no workflow.", {
      details: { option: "workflows" },
    });
  }
  const stores = new Map<string | Store, Store>();
  for (const [, workflow] of known) {
    const store = await storeOf(workflow);
    stores.set(fileIdentity(store), store);
  }
  const named = new Map(known);
  await Promise.all(
    [...stores.values()].map((store) =>
      superviseStore(store, {
        ...checked,
        workflowFor: async ({ workflowName }) => named.get(workflowName),
        codeOf: ({ workflowName }) => named.get(workflowName)?.opts.workflowHash ?? null,
      }),
    ),
  );
}

/** A list has numbers for names, and no run would be found for any of them. */
function areNamed(workflows: unknown): boolean {
  if (typeof workflows !== "object" || workflows === null || Array.isArray(workflows)) return false;
  return Object.values(workflows).every(
    (workflow) => typeof workflow === "object" && workflow !== null && "build" in workflow,
  );
}
