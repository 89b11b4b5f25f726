import { describe, expect, it } from "vitest";
import type { Colors } from "../../../src/cli/output/styles.js";
import { reloadText } from "../../../src/cli/progress/reload-text.js";
import { errorCodeEntry } from "../../../src/errors/codes.js";
import { serializeError } from "../../../src/errors/ensure-error.js";
import { ServiceError } from "../../../src/errors/service-error.js";

const plain = new Proxy({}, { get: () => (text: string) => text }) as Colors;
const as = { colors: plain, commandText: (command: string) => command };
const event = { runId: "h", timestampMs: 0, changedFiles: ["flow.tsx"] };

describe("a save that is refused says what to do next", () => {
  it.each(["WORKFLOW_LOAD_FAILED", "WORKFLOW_RENDER_FAILED", "HOT_RELOAD_INVALID_MODULE", "DUPLICATE_ID"])(
    "%s",
    (code) => {
      const error = serializeError(new ServiceError(code, "It is wrong."));
      expect(reloadText({ type: "WorkflowReloadFailed", error, ...event }, as).split("\n")).toEqual([
        `✗ flow.tsx not reloaded, the run continues as before: ${code} It is wrong.`,
        `  next  ${errorCodeEntry(code)?.next}`,
      ]);
    },
  );

  it("SCHEMA_CHANGE_HOT", () => {
    const error = serializeError(new ServiceError("SCHEMA_CHANGE_HOT", "It is another one."));
    const text = reloadText({ type: "WorkflowReloadUnsafe", reason: "", error, ...event }, as);
    expect(text).toContain("\n  next  Undo the change");
  });
});

it("an error without a code of the library has no next step", () => {
  const error = serializeError(new TypeError("no"));
  expect(reloadText({ type: "WorkflowReloadFailed", error, ...event }, as)).toBe(
    "✗ flow.tsx not reloaded, the run continues as before: TypeError no",
  );
});
