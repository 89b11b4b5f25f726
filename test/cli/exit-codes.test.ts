import { describe, expect, it } from "vitest";
import { EXIT, exitCodeOfError, exitCodeOfStatus } from "../../src/cli/exit-codes.js";
import { RUN_STATUSES, type RunStatus } from "../../src/model/run.js";

describe("exit codes", () => {
  it("tell every status of a run apart as far as a script has to act differently", () => {
    const expected: Record<RunStatus, number> = {
      finished: 0,
      continued: 0,
      failed: 1,
      running: 1,
      cancelled: 2,
      "waiting-approval": 3,
      "waiting-event": 3,
      "waiting-timer": 3,
      "waiting-quota": 3,
    };
    for (const status of RUN_STATUSES) expect(exitCodeOfStatus(status), status).toBe(expected[status]);
  });

  it.each([
    "CLI_USAGE",
    "RUN_NOT_FOUND",
    "INVALID_INPUT",
    "ALREADY_DECIDED",
    "WORKFLOW_LOAD_FAILED",
    "DUPLICATE_ID",
  ])("say that the caller has to change something for %s", (code) => {
    expect(exitCodeOfError(code)).toBe(EXIT.userError);
  });

  it.each(["INTERNAL_ERROR", "DB_BUSY", "STORAGE_ERROR", "A_CODE_NOBODY_KNOWS"])(
    "say that something went wrong for %s",
    (code) => {
      expect(exitCodeOfError(code)).toBe(EXIT.runFailed);
    },
  );
});
