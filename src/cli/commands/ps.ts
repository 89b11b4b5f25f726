import {
  type DamagedRun,
  type RunList,
  type RunListFilter,
  type RunView,
  selectRuns,
  SHOWN_STATES,
  type ShownState,
} from "../../operations/index.js";
import { isWaiting, RUN_WAITS, type RunWait } from "../../model/run.js";
import type { CommandCall } from "../command.js";
import { defineCommand } from "../command.js";
import { EXIT } from "../exit-codes.js";
import { annotation, positiveInteger, stateList, waitList } from "../input/option-values.js";
import { damageLines } from "../output/damage-text.js";
import { runTable } from "../output/run-table.js";
import type { Report } from "../report.js";
import { workflowNameOf } from "../runs/workflow-name.js";
import { withPlace } from "../source/open-place.js";
import { addWatchFlags, type WatchFlags } from "../watch/watch-flags.js";
import { watched } from "../watch/watched.js";

interface PsOptions extends WatchFlags {
  status?: ShownState[];
  workflow?: string;
  withFailures?: boolean;
  waitsFor?: RunWait[];
  needsMe?: boolean;
  text?: string;
  annotation?: Record<string, string>;
  limit: number;
  cursor?: string;
  failOnWaiting?: boolean;
  chains?: boolean;
}

/** Runs that others have continued are shown by the newest one of each chain. */
const FOLDED = SHOWN_STATES.filter((state) => state !== "continued");

export const ps = defineCommand<PsOptions>({
  examples: [
    { command: "treadle ps", meaning: "the newest runs of this workspace" },
    { command: "treadle ps --status waiting-approval,failed,orphaned", meaning: "those that need a person" },
    { command: "treadle ps --watch --interval 5s", meaning: "again and again, until Ctrl-C" },
  ],
  gateway: "asked",
  configure(command) {
    addWatchFlags(command)
      .option(
        "-s, --status <list>",
        `only runs of these states, comma-separated: ${SHOWN_STATES.join(", ")}`,
        stateList("--status"),
      )
      .option("--workflow <name>", "only runs of this workflow: its name, or its file")
      .option("--with-failures", "only runs that failed, or of which a task did; also those that ended well")
      .option(
        "--waits-for <list>",
        `only runs that wait for one of these, comma-separated: ${RUN_WAITS.join(", ")}`,
        waitList("--waits-for"),
      )
      .option("--needs-me", "only runs with a request that you may decide")
      .option("--text <text>", "only runs with this text in their id or in a value of their input")
      .option(
        "--annotation <name=value>",
        "only runs that are annotated so; may be repeated",
        annotation("--annotation"),
      )
      .option("-l, --limit <n>", "runs shown at most", positiveInteger("--limit"), 20)
      .option("--cursor <cursor>", "the page after this one: nextCursor of a --json answer")
      .option("--chains", "also the earlier runs of those that continued as new, each on a line")
      .option("--fail-on-waiting", "exit with 3 if one of the runs shown waits");
  },
  run: (call) => watched(call, async () => reportOf(await lookAt(call), call.options)),
});

function lookAt(call: CommandCall<PsOptions>): Promise<RunList> {
  const { workflow, limit, cursor, chains = false, needsMe, ...options } = call.options;
  const status = call.options.status ?? (chains ? undefined : FOLDED);
  return withPlace(call, async (place) => {
    const name = await workflowNameOf(call, workflow, place.listRuns);
    const list = (filter: RunListFilter) =>
      place.listRuns({ ...filter, ...(needsMe === true && { needsMe }) });
    const { withFailures, waitsFor, text, annotation: annotations } = options;
    const chosen = { withFailures, waitsFor, text, annotations };
    return selectRuns(list, { ...chosen, states: status, workflow: name, limit, cursor });
  });
}

function reportOf(list: RunList, options: Pick<PsOptions, "failOnWaiting">): Report {
  const waits = options.failOnWaiting === true && list.runs.some(({ status }) => isWaiting(status));
  return {
    json: list,
    text(colors, width) {
      const more = list.nextCursor === null ? [] : [colors.dim("… and more (--limit, --status, --workflow)")];
      const damage = damageLines([...(list.damaged ?? []), ...list.runs.flatMap(damageOf)], colors);
      return [runTable(list.runs, { colors, now: Date.now(), width }), ...damage, ...more].join("\n");
    },
    exitCode: waits ? EXIT.waiting : EXIT.ok,
  };
}

function damageOf({ runId, damage }: RunView): DamagedRun[] {
  return damage === undefined ? [] : [{ runId, damage }];
}
