import { describe, expect, it } from "vitest";
import { remedyOf, ServiceError } from "../../../src/index.js";
import { remedySchema } from "../../../src/model/remedy.js";

const failed = (code: string, details: Record<string, unknown>) =>
  new ServiceError(code, "It did not work.", { details });

describe("the remedy of an error", () => {
  it.each([
    ["RUN_NOT_FOUND", { runId: "r" }, { action: "list-runs" }],
    [
      "RUN_NOT_ACTIVE",
      { runId: "r", status: "continued", nextRunId: "s" },
      { action: "explain", runId: "s" },
    ],
    ["RUN_NOT_ACTIVE", { runId: "r", status: "failed" }, { action: "resume", runId: "r" }],
    ["RUN_NOT_ACTIVE", { runId: "r", status: "finished" }, { action: "inspect", runId: "r" }],
    ["RUN_NOT_RESUMABLE", { runId: "r", nextRunId: "s" }, { action: "explain", runId: "s" }],
    ["RUN_OWNER_ALIVE", { runId: "r", ownerId: "host/1/x" }, { action: "explain", runId: "r" }],
    [
      "RESUME_METADATA_MISMATCH",
      { runId: "r", changes: [] },
      { action: "resume", runId: "r", acceptWorkflowChange: true },
    ],
    ["NODE_NOT_FOUND", { runId: "r", nodeId: "x" }, { action: "inspect", runId: "r" }],
    ["NODE_NOT_WAITING", { runId: "r", nodeId: "x" }, { action: "explain", runId: "r" }],
    [
      "REQUEST_CHANGED",
      { runId: "r", nodeId: "x", iteration: 2, requestHash: "h" },
      { action: "approve", runId: "r", nodeId: "x", iteration: 2, requestHash: "h" },
    ],
    [
      "FORBIDDEN",
      { runId: "r", nodeId: "x", allowedUsers: ["ada"] },
      { action: "approve", runId: "r", nodeId: "x", iteration: 0, allowedUsers: ["ada"] },
    ],
    [
      "APPROVAL_DENIED",
      { runId: "r", nodeId: "x", iteration: 1 },
      { action: "retry-task", runId: "r", nodeId: "x", iteration: 1 },
    ],
    [
      "MEMORY_FACT_NOT_FOUND",
      { namespace: "user:ada", key: "tea" },
      { action: "list-facts", namespace: "user:ada" },
    ],
    ["WORKSPACE_NOT_TRUSTED", { path: "/w/service.db" }, { action: "trust", path: "/w/service.db" }],
  ])("%s with %j is %j", (code, details, remedy) => {
    expect(remedyOf(failed(code, details))).toEqual(remedy);
    expect(remedySchema().parse(remedy)).toEqual(remedy);
  });

  it("is null where only the text says what to do", () => {
    expect(remedyOf(failed("INVALID_INPUT", { runId: "r" }))).toBeNull();
    expect(remedyOf(failed("NOT_A_CODE_OF_OURS", { runId: "r" }))).toBeNull();
    expect(remedyOf(failed("toString", {}))).toBeNull();
  });

  it("is null where the details do not say about what, or say something else", () => {
    expect(remedyOf(new ServiceError("NODE_NOT_WAITING", "It waits for nothing."))).toBeNull();
    expect(remedyOf(failed("NODE_NOT_WAITING", { runId: 3 }))).toBeNull();
    expect(remedyOf(failed("FORBIDDEN", { origin: "https://elsewhere" }))).toBeNull();
  });
});
