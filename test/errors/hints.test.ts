import { describe, expect, it } from "vitest";
import type { ErrorCodeEntry } from "../../src/errors/code-entry.js";
import { errorFamilies } from "../../src/errors/codes.js";

/** Details that every error of the code carries. A code that is not raised yet promises what it names. */
const CARRIED: Readonly<Record<string, readonly string[]>> = {
  ALREADY_DECIDED: ["decision"],
  ASPECT_BUDGET_EXCEEDED: ["budget", "limit", "current"],
  CLI_AGENT_UNSUPPORTED: ["agent", "supported"],
  DB_MISSING_COLUMNS: ["tableName", "columns"],
  ENGINE_HTTP_ERROR: ["status"],
  IDEMPOTENCY_KEY_REUSED: ["runId"],
  OPENAPI_OPERATION_NOT_FOUND: ["operationId", "operationIds"],
  PROCESS_SPAWN_FAILED: ["command"],
  REQUEST_CHANGED: ["shown", "asked"],
  RESUME_METADATA_MISMATCH: ["runId", "changes"],
  RUN_OWNER_ALIVE: ["runId", "ownerId", "heartbeatAgeMs"],
  SCORER_FAILED: ["scorer"],
  TASK_FORK_CYCLE: ["nodeId", "forkSource", "circle"],
  TOOL_COMMAND_FAILED: ["cmd", "args", "exitCode", "output"],
};

/** Details that only some errors of the code carry: the hint says that they may be absent. */
const SOMETIMES: Readonly<Record<string, readonly string[]>> = {
  AGENT_CLI_ERROR: ["stderr"],
  AGENT_PROVIDER_ERROR: ["status"],
  AGENT_QUOTA_EXCEEDED: ["resetAtMs"],
};

const hints = Object.values(errorFamilies)
  .flatMap((family) => Object.entries(family) as [string, ErrorCodeEntry][])
  .filter(([, { next }]) => next.includes("`details"))
  .map(([code, { next }]) => [code, next] as const);

describe("the next step of an error", () => {
  it.each(hints)("%s points only at details that its errors carry", (code, next) => {
    const named = [...next.matchAll(/`details(?:\.(\w+))?`/g)].map(([, field]) => field);
    const known = [...(CARRIED[code] ?? []), ...(SOMETIMES[code] ?? [])];
    expect(named.filter((field) => field === undefined || !known.includes(field))).toEqual([]);
  });

  it.each(hints.filter(([code]) => SOMETIMES[code] !== undefined))(
    "%s says that the detail may be absent",
    (_, next) => {
      expect(next).toMatch(/\b(if|when)\b/);
    },
  );
});
