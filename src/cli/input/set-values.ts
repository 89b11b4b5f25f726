import { isRecord } from "../../util/is-record.js";
import { ServiceError } from "../../errors/service-error.js";

/**
 * Applies `--set key=value` on top of an input. A value that is JSON is taken as
 * JSON (`3`, `true`, `[1]`, `"3"`), anything else as text. Dots lead into
 * objects: `repo.path=.`.
 * @throws CLI_USAGE for an assignment without a key or through something that is not an object
 */
export function applyAssignments(
  input: Record<string, unknown>,
  assignments: readonly string[],
): Record<string, unknown> {
  const result = structuredClone(input);
  for (const assignment of assignments) {
    const at = assignment.indexOf("=");
    const path = assignment.slice(0, at).split(".");
    if (at < 1 || path.includes("")) {
      throw usage(assignment, "expected key=value");
    }
    let target = result;
    for (const key of path.slice(0, -1)) {
      const next = Object.hasOwn(target, key) ? target[key] : undefined;
      if (next !== undefined && !isRecord(next)) throw usage(assignment, `${key} is not an object`);
      target = next ?? setOwn(target, key, {});
    }
    setOwn(target, path.at(-1) as string, parseValue(assignment.slice(at + 1)));
  }
  return result;
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Also for a key such as `__proto__`, which plain assignment would swallow. */
function setOwn<T>(target: Record<string, unknown>, key: string, value: T): T {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  return value;
}

function usage(assignment: string, problem: string): ServiceError {
  return new ServiceError("CLI_USAGE", `--set ${assignment}: ${problem}.`, { details: { option: "--set" } });
}
