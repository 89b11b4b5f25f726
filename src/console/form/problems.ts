import type { ErrorSchema } from "@rjsf/utils";
import { ClientError } from "../../client/index.js";
import { isRecord } from "../../util/is-record.js";

/** What is wrong with a value, by the path of its part: `parts[0].name`. */
export type PathProblems = Readonly<Record<string, string>>;

/** What the gateway has against single parts of a value. */
export function problemsOf(error: Error, value: unknown): PathProblems {
  if (!ClientError.is(error, "INVALID_INPUT")) return {};
  const issues = error.details?.["issues"];
  const problems: Record<string, string> = {};
  for (const issue of Array.isArray(issues) ? issues : []) {
    const { path, message } = readIssue(issue);
    if (path !== "") problems[path] ??= at(value, stepsOf(path)) === undefined ? "This is needed." : message;
  }
  return problems;
}

/** `{path, message}`, or both in one text. */
function readIssue(issue: unknown): { path: string; message: string } {
  if (isRecord(issue)) return { path: String(issue["path"] ?? ""), message: String(issue["message"] ?? "") };
  const [path = "", ...message] = String(issue).split(": ");
  return { path, message: message.join(": ") };
}

/** At the fields that they are of. */
export function errorSchema(problems: PathProblems): ErrorSchema {
  const root: ErrorSchema = {};
  for (const [path, problem] of Object.entries(problems)) {
    let place = root as Record<string, Record<string, unknown>>;
    for (const step of stepsOf(path)) {
      place[step] ??= {};
      place = place[step] as typeof place;
    }
    (place as ErrorSchema).__errors = [problem];
  }
  return root;
}

function stepsOf(path: string): string[] {
  return path.split(/[.[\]]+/).filter((step) => step !== "");
}

function at(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (part, step) =>
      typeof part === "object" && part !== null ? (part as Record<string, unknown>)[step] : undefined,
    value,
  );
}
