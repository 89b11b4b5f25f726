import type { GatewayMethods } from "../../client/index.js";
import { isRecord } from "../../util/is-record.js";
import { treadleCommand } from "../../util/treadle-command.js";
import type { LaunchDraft } from "./launch-draft.js";

export type RunRequest = GatewayMethods["launchRun"]["params"];
export type Problems = Readonly<Record<string, string>>;

const NOT_JSON = "This is not JSON.";
const SCALARS = ["string", "number", "boolean"];

export type GivenInput = { input: Record<string, unknown> } | { problems: Problems };

/** The run that the form asks for, or what is wrong with it: `json`, `unread`, or `option <name>`. */
export function launchRequest(
  workflow: string,
  draft: LaunchDraft,
): { params: RunRequest } | { problems: Problems } {
  const given = draft.isRaw ? wholeInput(draft.json) : writtenInput(draft);
  const { options, problems } = readOptions(draft);
  const all = { ...("problems" in given && given.problems), ...problems };
  if ("problems" in given || Object.keys(all).length > 0) return { problems: all };
  return { params: { workflow, input: given.input, ...options } };
}

/** The input that is written as a whole. */
export function wholeInput(json: string): GivenInput {
  const value = parsed(json);
  if (value === undefined) return { problems: { json: NOT_JSON } };
  return isRecord(value) ? { input: value } : { problems: { json: "The input is an object: { … }." } };
}

function writtenInput({ input, unread }: LaunchDraft): GivenInput {
  if (Object.keys(unread).length > 0)
    return { problems: { unread: "Something above is not what it has to be." } };
  return { input };
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
