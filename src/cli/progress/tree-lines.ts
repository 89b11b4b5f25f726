import type { NodeState } from "../../model/node.js";
import type { XmlElement, XmlNode } from "../../model/xml.js";
import { formatDuration } from "../../util/duration.js";
import { nodeSign } from "../output/run-states.js";
import type { Colors } from "../output/styles.js";
import type { RunTally, TaskProgress } from "./run-tally.js";

export interface TreeOptions {
  colors: Colors;
  nowMs: number;
  /** Sign of a running task. */
  spinner: string;
  /** Lines at most. */
  rows: number;
}

interface Line {
  depth: number;
  text: string;
  /** Absent for a group. */
  state?: NodeState;
}

/** Elements that only order what is in them: they get no line of their own. */
const TRANSPARENT = new Set(["Workflow", "Sequence", "Branch"]);

const QUIET: readonly NodeState[] = ["finished", "skipped", "pending", "cancelled"];

/**
 * The mounted tree with the state of every task. When it is higher than the
 * screen, tasks that are done or not yet due give way first and are counted.
 */
export function treeLines(xml: XmlNode | null, tally: RunTally, options: TreeOptions): string[] {
  const all = xml?.kind === "element" ? elementLines(xml, tally, { depth: 0, options }) : [];
  const lines =
    all.length === 0 ? tally.inState("in-progress").map((task) => taskLine(task, 0, options)) : all;
  return cutToHeight(lines, options).map(({ depth, text }) => `${"  ".repeat(depth + 1)}${text}`);
}

function elementLines(
  element: XmlElement,
  tally: RunTally,
  { depth, options }: { depth: number; options: TreeOptions },
): Line[] {
  const task = tally.newest(element.props["id"] ?? "");
  if (task !== undefined) return [taskLine(task, depth, options)];
  const isGroup = !TRANSPARENT.has(element.tag);
  const inner = element.children.flatMap((child) =>
    child.kind === "element" ? elementLines(child, tally, { depth: depth + (isGroup ? 1 : 0), options }) : [],
  );
  if (!isGroup || inner.length === 0) return inner;
  return [{ depth, text: options.colors.dim(groupText(element)) }, ...inner];
}

function groupText({ tag, props }: XmlElement): string {
  const { id, iteration, maxConcurrency } = props;
  const facts = [
    id,
    iteration !== undefined && `iteration ${iteration}`,
    maxConcurrency !== undefined && `at most ${maxConcurrency}`,
  ];
  return [tag, ...facts.filter(Boolean)].join(" ");
}

function taskLine(task: TaskProgress, depth: number, { colors, nowMs, spinner }: TreeOptions): Line {
  const { state, attempt, sinceMs, note } = task;
  const isRunning = state === "in-progress";
  const facts = [attempt > 1 && `attempt ${attempt}`, isRunning && formatDuration(nowMs - sinceMs)];
  const details = [facts.filter(Boolean).join(", "), note].filter((text) => text !== "").join("  ");
  const sign = isRunning ? colors.cyan(spinner) : nodeSign(state, colors);
  return { depth, state, text: `${sign} ${task.nodeId}${details === "" ? "" : ` ${colors.dim(details)}`}` };
}

function cutToHeight(lines: readonly Line[], { rows, colors }: TreeOptions): Line[] {
  if (lines.length <= rows) return [...lines];
  const isQuiet = ({ state }: Line) => state !== undefined && QUIET.includes(state);
  const loud = withoutEmptyGroups(lines.filter((line) => !isQuiet(line)));
  const hidden = lines.filter(isQuiet);
  const shown = loud.slice(0, Math.max(0, rows - 1));
  const cut = loud.length - shown.length;
  const counts = QUIET.map((state) => [state, hidden.filter((line) => line.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`);
  if (cut > 0) counts.unshift(`${cut} more`);
  return [...shown, { depth: 0, text: colors.dim(`… ${counts.join(", ")}`) }];
}

function withoutEmptyGroups(lines: readonly Line[]): Line[] {
  return lines.filter((line, index) => {
    if (line.state !== undefined) return true;
    const next = lines
      .slice(index + 1)
      .find((candidate) => candidate.depth <= line.depth || candidate.state !== undefined);
    return next !== undefined && next.depth > line.depth;
  });
}
