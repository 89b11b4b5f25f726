import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { rig } from "../support/render-workflow.js";

describe("the components of a service", () => {
  it("are all there", () => {
    expect(Object.keys(components).sort()).toEqual(
      [
        ...[
          "Approval",
          "ApprovalGate",
          "Aspects",
          "Branch",
          "ContinueAsNew",
          "HumanTask",
          "Loop",
          "MergeQueue",
        ],
        ...[
          "Parallel",
          "CheckSuite",
          "DriftDetector",
          "ScanFixVerify",
          "Runbook",
          "Supervisor",
          "Kanban",
          "SuperService",
          "Sidecar",
          "Poller",
          "Ralph",
          "ReviewLoop",
          "Saga",
          "SagaStep",
          "Sandbox",
          "Sequence",
          "Signal",
          "Subflow",
          "Task",
        ],
        ...["ClassifyAndRoute", "ContentPipeline", "Debate", "DecisionTable", "EscalationChain"],
        ...["GatherAndSynthesize", "Optimizer", "Panel"],
        ...["Timer", "TryCatchFinally", "WaitForEvent", "Workflow", "Worktree", "continueAsNew"],
      ].sort(),
    );
  });

  it("call the deprecated Ralph a Loop", () => {
    expect(components.Ralph).toBe(components.Loop);
  });

  it("make continue-as-new of a function call as of an element", () => {
    const { Workflow, continueAsNew } = components;
    const planOf = (state?: unknown) =>
      rig(() => <Workflow name="w">{continueAsNew(state)}</Workflow>).render().plan;
    expect(planOf({ page: 2 })).toEqual({ kind: "continue-as-new", state: { page: 2 }, loopIds: [] });
    expect(planOf()).toEqual({ kind: "continue-as-new", state: undefined, loopIds: [] });
  });
});
