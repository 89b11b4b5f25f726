import type { EachResult, RunList } from "../../operations/index.js";
import type { CommandCall } from "../command.js";
import { runTable } from "../output/run-table.js";
import { EXIT } from "../exit-codes.js";
import { confirm } from "../input/confirm.js";
import { damageLines } from "../output/damage-text.js";
import type { Colors } from "../output/styles.js";
import { serializedErrorLine } from "../output/thrown-text.js";
import type { Report } from "../report.js";

/** A command on many runs, in its words. */
export interface ManyRuns<R extends object> {
  /** Those that were chosen. */
  list: Pick<RunList, "runs" | "damaged">;
  /** Asked before anything is done. */
  question(count: number): string;
  /** Said when the answer was no. */
  nothing: string;
  /** The word for the runs at the end: `cancelled`. */
  done: string;
  /** Does it, telling of each run. */
  act(runIds: string[], onResult: (result: EachResult<R>) => void): Promise<EachResult<R>[]>;
  /** A line about one that it was done to. */
  line(result: R & { runId: string }, colors: Colors): string;
  /** @default all that it was done to */
  isGood?(result: R): boolean;
}

/** Shows the runs, asks, does it, and tells of each: a line, and at the end how many. */
export async function actOnMany<R extends object>(
  { terminal, options, documents }: CommandCall<{ dryRun?: boolean; yes?: boolean }>,
  many: ManyRuns<R>,
): Promise<Report | number> {
  const { out, err } = terminal;
  const { dryRun = false, yes = false } = options;
  const { runs, damaged } = many.list;
  const preview = (colors: Colors, width: number) =>
    [runTable(runs, { colors, now: Date.now(), width }), ...damageLines(damaged, colors)].join("\n");
  if (dryRun || runs.length === 0) {
    const shown = runs.map(({ runId, workflowName, status, runState }) => ({
      runId,
      workflowName,
      status,
      runState,
    }));
    return { json: { dryRun, runs: shown, ...(damaged !== undefined && { damaged }) }, text: preview };
  }
  if (!yes) err.line(preview(err.colors, err.tableWidth));
  if (!(await confirm(many.question(runs.length), { terminal, yes }))) {
    return { json: { dryRun, runs: [] }, text: () => many.nothing, exitCode: EXIT.cancelled };
  }
  const isGood = (result: EachResult<R>) => result.ok && (many.isGood?.(result) ?? true);
  const lineOf = (result: EachResult<R>, colors: Colors) =>
    result.ok
      ? many.line(result, colors)
      : `${colors.red("✗")} ${result.runId} ${serializedErrorLine(result.error)}`;
  const results = await many.act(
    runs.map(({ runId }) => runId),
    (result) => {
      if (documents === undefined) out.line(lineOf(result, out.colors));
    },
  );
  const done = results.filter(isGood).length;
  const failed = results.length - done;
  const exitCode = failed === 0 ? EXIT.ok : EXIT.runFailed;
  const json = { dryRun, runs: results, done, failed };
  if (documents !== undefined) return { json, text: () => "", exitCode };
  err.line(`${done} ${many.done}${failed === 0 ? "" : err.colors.red(`, ${failed} failed`)}`);
  return exitCode;
}
