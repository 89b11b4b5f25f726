import { describe, expect, it } from "vitest";
import { createColors } from "../../../src/cli/output/styles.js";
import { requestText } from "../../../src/cli/decide/request-text.js";
import type { ApprovalRow } from "../../../src/model/approval.js";
import type { RunRow } from "../../../src/model/run.js";

const run: RunRow = {
  runId: "k3j2",
  parentRunId: null,
  workflowName: "deploy",
  workflowPath: null,
  workflowHash: null,
  status: "waiting-approval",
  createdAtMs: 0,
  startedAtMs: 0,
  finishedAtMs: null,
  heartbeatAtMs: null,
  ownerId: null,
  epoch: 1,
  frameNo: 1,
  nextSeq: 1,
  error: null,
  summary: null,
  paused: null,
  wakeAtMs: null,
  deaths: 0,
  inCompany: false,
  lostStarts: 0,
  config: {
    maxConcurrency: 4,
    requireRerenderOnOutputChange: true,
  },
  nextRunId: null,
};

const row: ApprovalRow = {
  runId: "k3j2",
  nodeId: "ship",
  iteration: 2,
  status: "requested",
  mode: "select",
  request: { title: "Ship it?", summary: "Two\nlines", metadata: { version: "1.2", sizes: [1, 2] } },
  options: [
    { key: "a", label: "All at once" },
    { key: "b", label: "Bit by bit", summary: "slower" },
  ],
  allowedScopes: ["release"],
  allowedUsers: ["ada", "bob"],
  requestHash: "",
  requestedAtMs: 1_000,
  decidedAtMs: null,
  decision: null,
  autoApproved: false,
};

describe("a request", () => {
  const text = requestText(row, { run, askedBy: "ci", colors: createColors(false), nowMs: 61_000 });

  it.each([
    "Ship it?",
    "Two\n            lines",
    "version   1.2",
    "sizes     [1,2]",
    "ship #2",
    "k3j2 (deploy)",
    "asked by  ci",
    "for 1m 00s",
    "ada, bob",
    "release",
    "a  All at once",
    "b  Bit by bit  slower",
  ])("shows %j", (part) => {
    expect(text).toContain(part);
  });

  it("says that an order is wanted", () => {
    const ranked = requestText(
      { ...row, mode: "rank" },
      { run, askedBy: "ci", colors: createColors(false), nowMs: 0 },
    );
    expect(ranked).toContain("best first");
  });
});
