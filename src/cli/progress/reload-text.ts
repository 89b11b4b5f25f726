import { remedyCommand } from "../../operations/index.js";
import { errorCodeEntry } from "../../errors/codes.js";
import { deserializeError, type SerializedError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { elementPlace, placeFrame, placeText } from "../../loader/source-place.js";
import type { RunEvent } from "../../model/events.js";
import type { Colors } from "../output/styles.js";
import { pasteable } from "../output/pasteable.js";
import { taskName } from "../output/task-name.js";
import { visibleLine, visibleText } from "../output/visible-text.js";

/** Listed by name at most. */
const MOST_LISTED = 5;

type Reload = Extract<
  RunEvent,
  { type: "WorkflowReloaded" | "WorkflowReloadFailed" | "WorkflowReloadUnsafe" }
>;

interface ReloadTextOptions {
  colors: Colors;
  /** A command line as this call has to type it. */
  commandText(command: string): string;
}

/** The result of saved code: one line when it runs, else the error with the author's lines. */
export function reloadText(event: Reload, options: ReloadTextOptions): string {
  const { colors } = options;
  const files = filesText(event.changedFiles);
  if (event.type === "WorkflowReloaded") {
    const { changes, outdated, durationMs } = event;
    const facts = [
      ...(["added", "removed", "changed"] as const).flatMap((kind) => countText(changes, kind)),
      `${Math.round(durationMs)}ms`,
    ];
    const line = `${colors.green("⟲")} reloaded ${files} ${colors.dim(`(${facts.join(", ")})`)}`;
    return visibleLine(outdated.length === 0 ? line : `${line}${outdatedText(event, options)}`);
  }
  const { error } = event;
  const head = `${colors.red("✗")} ${files} not reloaded, the run continues as before: ${error.code ?? error.name} `;
  const next = error.code === undefined ? undefined : errorCodeEntry(error.code)?.next;
  const advice =
    next === undefined ? "" : `\n  ${colors.dim("next ")} ${pasteable(next, options.commandText)}`;
  return `${visibleLine(head)}${visibleText(indented(errorLines(error)))}${advice}`;
}

export function filesText(files: readonly string[]): string {
  const shown = files.slice(0, MOST_LISTED).join(", ");
  return files.length > MOST_LISTED ? `${shown} and ${files.length - MOST_LISTED} more` : shown;
}

function countText(changes: readonly { change: string }[], kind: string): string[] {
  const count = changes.filter(({ change }) => change === kind).length;
  return count === 0 ? [] : [`${count} ${kind}`];
}

/** Rows of the code before, which stay. */
function outdatedText(
  { runId, outdated }: Reload & { type: "WorkflowReloaded" },
  { colors, commandText }: ReloadTextOptions,
): string {
  const shown = outdated.slice(0, MOST_LISTED).map(taskName).join(", ");
  const more = outdated.length > MOST_LISTED ? ` and ${outdated.length - MOST_LISTED} more` : "";
  const [first] = outdated;
  if (first === undefined) return "";
  const command = commandText(remedyCommand({ action: "retry-task", runId, ...first }));
  return colors.yellow(`; finished with the code before: ${shown}${more} (${command})`);
}

function errorLines(serialized: SerializedError): string {
  const error = deserializeError(serialized);
  const summary = ServiceError.is(error) ? error.summary : error.message;
  const place = elementPlace(error) ?? serialized.frame;
  if (place === undefined) return summary.trimEnd();
  const frame = placeFrame(place, process.cwd());
  const marked = frame.split("\n").find((line) => line.startsWith(">"));
  // Errors of loading bring their lines along.
  if (marked === undefined || summary.includes(marked)) return summary.trimEnd();
  const at = summary.includes(placeText(place)) ? "" : ` (${placeText(place)})`;
  return `${summary.trimEnd()}${at}\n${frame}`;
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
