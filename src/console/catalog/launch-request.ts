import type { GatewayMethods } from "../../client/index.js";
import { readWritten, type Written } from "../form/written.js";
import { isRecord } from "../../util/is-record.js";
import { treadleCommand } from "../../util/treadle-command.js";
import type { LaunchDraft } from "./launch-draft.js";

export type RunRequest = GatewayMethods["launchRun"]["params"];
export type Problems = Readonly<Record<string, string>>;

const SCALARS = ["string", "number", "boolean"];

/** The run that the form asks for, or what is wrong with it: with the whole input by the empty path, or `option <name>`. */
export function launchRequest(
  workflow: string,
  draft: LaunchDraft,
): { params: RunRequest } | { problems: Problems } {
  const given = readInput(draft.input);
  const { options, problems } = readOptions(draft);
  const all = { ...("problem" in given && { "": given.problem }), ...problems };
  if ("problem" in given || Object.keys(all).length > 0) return { problems: all };
  return { params: { workflow, input: given.input, ...options } };
}

function readInput(written: Written): { input: Record<string, unknown> } | { problem: string } {
  const read = readWritten(written);
  if ("problem" in read) return read;
  return isRecord(read.data) ? { input: read.data } : { problem: "The input is an object: { … }." };
}

function readOptions({ options, runId }: LaunchDraft): {
  options: Omit<RunRequest, "workflow" | "input">;
  problems: Problems;
} {
  const problems: Record<string, string> = {};
  const tasks = Number(options.maxConcurrency);
  if (options.maxConcurrency.trim() !== "" && !(Number.isInteger(tasks) && tasks > 0)) {
    problems["option maxConcurrency"] = "This is not a number from 1.";
  }
  const annotations = options.annotations.trim() === "" ? {} : parsed(options.annotations);
  const isFlat =
    isRecord(annotations) && Object.values(annotations).every((one) => SCALARS.includes(typeof one));
  if (!isFlat) problems["option annotations"] = "This is no object of texts, numbers, true and false.";
  const queue = options.queue.trim();
  return {
    problems,
    options: {
      runId: options.runId.trim() || runId,
      ...(options.maxConcurrency.trim() !== "" && { maxConcurrency: tasks }),
      ...(queue !== "" && { queue }),
      ...(options.annotations.trim() !== "" && {
        annotations: annotations as NonNullable<RunRequest["annotations"]>,
      }),
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What starts the same run in a terminal; its id is made there, unless one is written in the form. */
export function launchCommand(
  { workflow, input = {}, ...options }: RunRequest,
  writtenRunId: string,
): string {
  const { maxConcurrency, queue, annotations } = options;
  return treadleCommand("up", [workflow], {
    input: JSON.stringify(input),
    "run-id": writtenRunId.trim() || undefined,
    "max-concurrency": maxConcurrency,
    queue,
    annotations: annotations === undefined ? undefined : JSON.stringify(annotations),
  });
}
