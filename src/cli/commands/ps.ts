import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "../../errors/service-error.js";
import { selectRuns } from "../../operations/bulk/select-runs.js";
import type { RunList, RunView } from "../../operations/get-run.js";
import type { DamagedRun } from "../../operations/read/readable-rows.js";
import { isWaiting } from "../../model/run.js";
import type { CommandCall } from "../command.js";
import { defineCommand } from "../command.js";
import { EXIT, SIGNAL_EXIT } from "../exit-codes.js";
import { duration, positiveInteger, stateList } from "../input/option-values.js";
import { requireWith } from "../input/option-rules.js";
import { damageLines } from "../output/damage-text.js";
import { runTable } from "../output/run-table.js";
import { SHOWN_STATES, type ShownState } from "../../operations/read/shown-states.js";
import type { Report } from "../report.js";
import { watchInterrupts } from "../runs/interrupts.js";
import { openRuns } from "../source/open-runs.js";

interface PsOptions {
  status?: ShownState[];
  workflow?: string;
  limit: number;
  cursor?: string;
  watch?: boolean;
  interval?: number;
  failOnWaiting?: boolean;
}

const INTERVAL_MS = 2_000;

/** A shorter one would only keep the machine busy, milliseconds. */
const SHORTEST_INTERVAL_MS = 10;

export const ps = defineCommand<PsOptions>({
  examples: [
    { command: "treadle ps", meaning: "the newest runs of this workspace" },
    { command: "treadle ps --status waiting-approval,failed,orphaned", meaning: "those that need somebody" },
    { command: "treadle ps --watch --interval 5s", meaning: "again and again, until Ctrl-C" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .option(
        "-s, --status <list>",
        `only runs of these states, comma-separated: ${SHOWN_STATES.join(", ")}`,
        stateList("--status"),
      )
      .option("--workflow <name>", "only runs of this workflow")
      .option("-l, --limit <n>", "runs shown at most", positiveInteger("--limit"), 20)
      .option("--cursor <cursor>", "the page after this one: nextCursor of a --json answer")
      .option("-w, --watch", "show them again and again; Ctrl-C stops watching, not the runs")
      .option(
        "--interval <duration>",
        "time between two looks of --watch (default: 2s)",
        duration("--interval"),
      )
      .option("--fail-on-waiting", "exit with 3 if one of the runs shown waits");
  },
  async run(call) {
    const { options } = call;
    requireWith(options, { interval: "watch" });
    if (options.interval !== undefined && options.interval < SHORTEST_INTERVAL_MS) {
      throw new ServiceError("CLI_USAGE", "--interval: expected 10ms or more.");
    }
    return options.watch === true ? watchRuns(call) : reportOf(await lookAt(call), options);
  },
});

/** Opened for each look: a database that was moved or replaced meanwhile is another one. */
async function lookAt(call: CommandCall<PsOptions>): Promise<RunList> {
  const runs = await openRuns(call);
  const { status, workflow, limit, cursor } = call.options;
  const list = await selectRuns(runs.list, { states: status, workflow, limit, cursor });
  await runs.close();
  return list;
}

function reportOf(list: RunList, options: Pick<PsOptions, "failOnWaiting">): Report {
  const waits = options.failOnWaiting === true && list.runs.some(({ status }) => isWaiting(status));
  return {
    json: list,
    text(colors) {
      const more = list.nextCursor === null ? [] : [colors.dim("… and more (--limit, --status, --workflow)")];
      const damage = damageLines([...(list.damaged ?? []), ...list.runs.flatMap(damageOf)], colors);
      return [runTable(list.runs, { colors, now: Date.now() }), ...damage, ...more].join("\n");
    },
    exitCode: waits ? EXIT.waiting : EXIT.ok,
  };
}

function damageOf({ runId, damage }: RunView): DamagedRun[] {
  return damage === undefined ? [] : [{ runId, damage }];
}

/** A picture that is redrawn on a terminal, elsewhere one look after the other. */
async function watchRuns(call: CommandCall<PsOptions>): Promise<number> {
  const { terminal, options, documents } = call;
  const { out } = terminal;
  const interrupts = watchInterrupts();
  let exitCode: number = EXIT.ok;
  while (!interrupts.signal.aborted && out.isOpen && exitCode === EXIT.ok) {
    const report = reportOf(await lookAt(call), options);
    if (documents !== undefined) out.line(documents.streamed(report.json));
    else if (out.isTty) {
      const lines = report
        .text(out.colors)
        .split("\n")
        .slice(0, Math.max(3, out.rows - 1));
      out.redraw(lines);
    } else out.line(`${report.text(out.colors)}\n`);
    exitCode = report.exitCode ?? EXIT.ok;
    if (exitCode === EXIT.ok) {
      await sleep(options.interval ?? INTERVAL_MS, undefined, { signal: interrupts.signal }).catch(() => {});
    }
  }
  interrupts.dispose();
  out.keepPicture();
  const stopped = interrupts.received();
  return stopped === undefined ? exitCode : SIGNAL_EXIT[stopped];
}
