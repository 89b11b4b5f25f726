import type { XmlNode } from "../../model/xml.js";
import type { OutputStream } from "../output/stream.js";
import { clockText } from "../output/times.js";
import { eventLine } from "./event-line.js";
import type { ProgressReporter, ReporterOptions } from "./reporter.js";
import type { RunTally } from "./run-tally.js";
import { treeLines } from "./tree-lines.js";

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const REDRAW_MS = 100;
/** A large tree is read from the database at most this often, milliseconds. */
const REREAD_MS = 500;

/** Events that stay on the screen above the live picture. */
const LASTING = new Set([
  "RunStarted",
  "NodeFailed",
  "RunContinuedAsNew",
  "AlertFired",
  "WorkflowReloaded",
  "WorkflowReloadFailed",
  "WorkflowReloadUnsafe",
  "StructuredOutputDowngraded",
  // Warnings; the rest of what agents tell only when it is asked for.
  "AgentEvent",
]);

export interface TreeReporterOptions extends ReporterOptions {
  /** The tree of a frame; null when it cannot be read. */
  readTree(runId: string, frameNo: number): Promise<XmlNode | null>;
}

/** Progress as a picture that is redrawn in place: header with counts, below it the tree of tasks. */
export function createTreeReporter(stream: OutputStream, options: TreeReporterOptions): ProgressReporter {
  const { tally, verbose, commandText, readTree } = options;
  const { colors } = stream;
  let tick = 0;
  let xml: XmlNode | null = null;
  let readKey = "";
  let readAtMs = 0;

  const draw = () => {
    const nowMs = Date.now();
    const spinner = SPINNER[tick % SPINNER.length] as string;
    const rows = Math.max(3, stream.rows - 3);
    stream.redraw([
      header(tally, { spinner, nowMs, stream }),
      ...treeLines(xml, tally, { colors, nowMs, spinner, rows }),
    ]);
  };
  const refreshTree = () => {
    const key = `${tally.runId}:${tally.frameNo}`;
    if (tally.runId === "" || key === readKey || Date.now() - readAtMs < REREAD_MS) return;
    readKey = key;
    readAtMs = Date.now();
    readTree(tally.runId, tally.frameNo).then(
      (tree) => {
        xml = tree;
      },
      // The picture goes without a tree; the run is not the picture's business.
      () => {},
    );
  };
  const timer = setInterval(() => {
    tick += 1;
    refreshTree();
    draw();
  }, REDRAW_MS).unref();
  const printAbove = (text: string) => {
    stream.write(text.endsWith("\n") ? text : `${text}\n`);
    draw();
  };

  return {
    event(event) {
      const before = tally.apply(event);
      if (!LASTING.has(event.type) && !(verbose && event.type === "NodeOutput")) return;
      const line = eventLine(event, { colors, before, verbose, commandText });
      if (line !== undefined) printAbove(line);
    },
    print: printAbove,
    close() {
      clearInterval(timer);
      stream.redraw([]);
    },
  };
}

function header(
  tally: RunTally,
  { spinner, nowMs, stream }: { spinner: string; nowMs: number; stream: OutputStream },
): string {
  const { colors } = stream;
  const counts = tally.counts();
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const waiting = tally.inState("waiting-approval", "waiting-event", "waiting-timer", "waiting-quota").length;
  const facts = [
    `${counts.finished ?? 0}/${total} done`,
    counts.skipped !== undefined && `${counts.skipped} skipped`,
    counts["in-progress"] !== undefined && `${counts["in-progress"]} running`,
    waiting > 0 && `${waiting} waiting`,
    counts.failed !== undefined && colors.red(`${counts.failed} failed`),
    tally.tokens > 0 && `${compactNumber(tally.tokens)} tokens`,
    clockText(nowMs - tally.startedAtMs),
  ];
  const name = tally.workflowName === "" ? "starting" : tally.workflowName;
  return `${colors.cyan(spinner)} ${colors.bold(name)} ${facts.filter(Boolean).join(" · ")}`;
}

/** `950`, `12.3k`, `4.1M`. */
export function compactNumber(value: number): string {
  if (value < 1_000) return String(value);
  return value < 999_950 ? `${(value / 1_000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}
