import { describe, expect, it } from "vitest";
import { errorCodeEntry, errorFamilies, httpStatusOf, isRetryableCode } from "../../src/errors/codes.js";
import type { ErrorCodeEntry } from "../../src/errors/code-entry.js";

const table = Object.values(errorFamilies).flatMap(
  (family) => Object.entries(family) as [string, ErrorCodeEntry][],
);
const codes = table.map(([code]) => code);

/** Codes that programs written against the interface rely on. */
const PROMISED = `
  INVALID_INPUT MISSING_INPUT MISSING_INPUT_TABLE RESUME_METADATA_MISMATCH UNKNOWN_OUTPUT_SCHEMA INVALID_OUTPUT
  WORKTREE_CREATE_FAILED VCS_NOT_FOUND SNAPSHOT_NOT_FOUND VCS_WORKSPACE_CREATE_FAILED TASK_TIMEOUT
  TASK_HIJACK_UNSUPPORTED TASK_FORK_SOURCE_NOT_FOUND TASK_FORK_SOURCE_NOT_COMPLETE TASK_FORK_SESSION_UNAVAILABLE
  TASK_FORK_CYCLE RUN_NOT_FOUND NODE_NOT_FOUND INVALID_EVENTS_OPTIONS SANDBOX_BUNDLE_INVALID
  SANDBOX_BUNDLE_TOO_LARGE WORKFLOW_EXECUTION_FAILED SANDBOX_EXECUTION_FAILED TASK_HEARTBEAT_TIMEOUT
  HEARTBEAT_PAYLOAD_TOO_LARGE HEARTBEAT_PAYLOAD_NOT_JSON_SERIALIZABLE TASK_ABORTED RUN_CANCELLED RUN_NOT_RESUMABLE
  RUN_OWNER_ALIVE RUN_STILL_RUNNING RUN_RESUME_CLAIM_LOST RUN_RESUME_CLAIM_FAILED RUN_RESUME_ACTIVATION_FAILED
  RUN_HIJACKED CONTINUATION_STATE_TOO_LARGE INVALID_CONTINUATION_STATE RALPH_MAX_REACHED SCHEDULER_ERROR
  SESSION_ERROR TASK_ID_REQUIRED TASK_MISSING_OUTPUT DUPLICATE_ID NESTED_LOOP WORKTREE_EMPTY_PATH
  MDX_PRELOAD_INACTIVE CONTEXT_OUTSIDE_WORKFLOW MISSING_OUTPUT DEP_NOT_SATISFIED ASPECT_BUDGET_EXCEEDED
  APPROVAL_OUTSIDE_TASK APPROVAL_OPTIONS_REQUIRED WORKFLOW_MISSING_DEFAULT TOOL_PATH_INVALID TOOL_PATH_ESCAPE
  TOOL_FILE_TOO_LARGE TOOL_CONTENT_TOO_LARGE TOOL_PATCH_TOO_LARGE TOOL_PATCH_FAILED TOOL_NETWORK_DISABLED
  TOOL_GIT_REMOTE_DISABLED TOOL_COMMAND_FAILED TOOL_GREP_FAILED AGENT_CLI_ERROR AGENT_QUOTA_EXCEEDED
  AGENT_CONFIG_INVALID AGENT_RPC_FILE_ARGS AGENT_BUILD_COMMAND AGENT_DIAGNOSTIC_TIMEOUT DB_MISSING_COLUMNS
  DB_REQUIRES_RUNTIME_SQLITE DB_QUERY_FAILED DB_WRITE_FAILED SERVICE_MIGRATION_REQUIRED STORAGE_ERROR INTERNAL_ERROR
  PROCESS_ABORTED PROCESS_TIMEOUT PROCESS_IDLE_TIMEOUT PROCESS_SPAWN_FAILED TASK_RUNTIME_UNAVAILABLE
  SCHEMA_CHANGE_HOT HOT_OVERLAY_FAILED HOT_RELOAD_INVALID_MODULE SCORER_FAILED WORKFLOW_EXISTS CLI_DB_NOT_FOUND
  CLI_AGENT_UNSUPPORTED ENGINE_HTTP_ERROR EXTERNAL_BUILD_FAILED SCHEMA_DISCOVERY_FAILED OPENAPI_SPEC_LOAD_FAILED
  OPENAPI_OPERATION_NOT_FOUND OPENAPI_TOOL_EXECUTION_FAILED ACCOUNT_INVALID ACCOUNT_NOT_FOUND
  ACCOUNT_DUPLICATE_LABEL ACCOUNTS_FILE_INVALID PAYLOAD_TOO_LARGE WORKFLOW_PATH_OUTSIDE_ROOT
`
  .trim()
  .split(/\s+/);

describe("the table of error codes", () => {
  it("documents every promised code", () => {
    expect(PROMISED.filter((code) => !codes.includes(code))).toEqual([]);
  });

  it("has each code in one family only", () => {
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  it("writes codes in capitals with underscores", () => {
    expect(codes.filter((code) => !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code))).toEqual([]);
  });

  it.each(table)(
    "%s has a condition that fits after 'when' and a next step that is a sentence",
    (_, entry) => {
      expect(entry.when).not.toMatch(/^when\b|[.!]$/i);
      expect(entry.next).toMatch(/^[A-Z].*\.$/s);
    },
  );

  it("uses no HTTP status outside the documented ones", () => {
    const statuses = table.map(([, entry]) => entry.httpStatus ?? 500);
    // 501: a method of the gateway's protocol whose feature this version does not have.
    const documented = [400, 401, 403, 404, 405, 409, 413, 415, 429, 500, 501, 503];
    expect(statuses.filter((status) => !documented.includes(status))).toEqual([]);
  });

  it("answers 404 exactly to the codes that end in NOT_FOUND", () => {
    const missing = codes.filter((code) => code.endsWith("_NOT_FOUND"));
    expect(codes.filter((code) => httpStatusOf(code) === 404)).toEqual(missing);
  });

  it.each([
    ["INVALID_JSON", 400],
    ["INVALID_INPUT", 400],
    ["WORKFLOW_PATH_OUTSIDE_ROOT", 400],
    ["DB_NOT_CONFIGURED", 400],
    ["UNAUTHORIZED", 401],
    ["FORBIDDEN", 403],
    ["RUN_STILL_RUNNING", 409],
    ["RUN_OWNER_ALIVE", 409],
    ["RUN_NOT_RESUMABLE", 409],
    ["ALREADY_DECIDED", 409],
    ["NODE_NOT_WAITING", 409],
    ["RUN_NOT_ACTIVE", 409],
    ["PAYLOAD_TOO_LARGE", 413],
    ["RATE_LIMITED", 429],
    ["CAPACITY_EXCEEDED", 503],
    ["INTERNAL_ERROR", 500],
  ])("%s answers with HTTP status %i", (code, status) => {
    expect(httpStatusOf(code)).toBe(status);
  });

  it("answers 500 to a code that it does not know", () => {
    expect(errorCodeEntry("PRINTER_ON_FIRE")).toBeUndefined();
    expect(httpStatusOf("PRINTER_ON_FIRE")).toBe(500);
  });

  it("does not take the names of built-in object members for codes", () => {
    expect(errorCodeEntry("constructor")).toBeUndefined();
    expect(errorCodeEntry("__proto__")).toBeUndefined();
    expect(errorCodeEntry("toString")).toBeUndefined();
  });
});

describe("isRetryableCode", () => {
  it.each([
    "AGENT_CONFIG_INVALID",
    "AGENT_PREFLIGHT_FAILED",
    "HEARTBEAT_PAYLOAD_TOO_LARGE",
    "HEARTBEAT_PAYLOAD_NOT_JSON_SERIALIZABLE",
    "ASPECT_BUDGET_EXCEEDED",
    "RETRY_STORM",
    "RUN_CANCELLED",
    "TASK_ABORTED",
    "TOOL_PATH_ESCAPE",
    "UNAUTHORIZED",
    "PROCESS_SPAWN_FAILED",
    "DEP_NOT_SATISFIED",
  ])("refuses another attempt after %s, which would end the same way", (code) => {
    expect(isRetryableCode(code)).toBe(false);
  });

  it.each([
    "TASK_TIMEOUT",
    "TASK_HEARTBEAT_TIMEOUT",
    "INVALID_OUTPUT",
    "AGENT_CLI_ERROR",
    "AGENT_QUOTA_EXCEEDED",
    "DB_WRITE_FAILED",
    "PROCESS_TIMEOUT",
  ])("allows another attempt after %s, which may have been bad luck", (code) => {
    expect(isRetryableCode(code)).toBe(true);
  });

  it("allows another attempt after a code of the user's own", () => {
    expect(isRetryableCode("PRINTER_ON_FIRE")).toBe(true);
  });
});
