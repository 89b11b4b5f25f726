import { describe, expect, it } from "vitest";
import { components } from "../../src/components/components.js";
import { rig, task } from "../support/render-workflow.js";

const { ApprovalGate, Workflow } = components;

describe("an ApprovalGate", () => {
  const gate = (when: boolean | undefined) =>
    task(
      rig(() => (
        <Workflow name="w">
          <ApprovalGate
            id="gate"
            output="verdict"
            when={when as boolean}
            request={{ title: "Ship?" }}
            onDeny="skip"
            skipIf={false}
            timeoutMs={9}
            retries={1}
            continueOnFail
          />
        </Workflow>
      )).render(),
      "gate",
    );

  it("asks when it is needed", () => {
    expect(gate(true)).toMatchObject({
      kind: "approval",
      approvalRequest: { title: "Ship?" },
      approvalOnDeny: "skip",
      timeoutMs: 9,
      retries: 1,
      continueOnFail: true,
    });
  });

  it("asks while nothing says that it is not needed", () => {
    expect(gate(undefined)).toMatchObject({ kind: "approval" });
  });

  it("else approves by itself, with the row of a decision", () => {
    expect(gate(false)).toMatchObject({
      kind: "static",
      staticPayload: { approved: true, note: "auto-approved", decidedBy: null, decidedAt: null },
      needsApproval: false,
      timeoutMs: 9,
      retries: 1,
      continueOnFail: true,
    });
  });
});
