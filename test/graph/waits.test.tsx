import { describe, expect, it } from "vitest";
import { z } from "zod";
import { components } from "../../src/components/components.js";
import { COMMON, describeTask, particulars } from "../support/describe-task.js";
import { outputs, rig } from "../support/render-workflow.js";

const { Approval, Signal, Timer, WaitForEvent, Workflow } = components;
const WITHOUT_ROW = { outputKey: "", outputTableName: "", retries: 0 };

describe("an Approval", () => {
  const request = { title: "Ship?", summary: "s", metadata: { n: 1 } };

  it("asks for a decision, fails when it is denied, and is called what it asks", () => {
    expect(particulars(<Approval id="a" output="verdict" request={request} />)).toEqual({
      ...COMMON,
      outputKey: "verdict",
      outputTableName: "out_verdict",
      retries: 0,
      label: "Ship?",
      kind: "approval",
      needsApproval: true,
      approvalMode: "decision",
      approvalOnDeny: "fail",
      approvalRequest: request,
    });
  });

  it("carries all of its props", () => {
    const options = [
      { key: "x", label: "X" },
      { key: "y", label: "Y", summary: "s" },
    ];
    expect(
      particulars(
        <Approval
          id="a"
          output="order"
          mode="rank"
          options={options}
          request={request}
          onDeny="skip"
          allowedScopes={["ops"]}
          allowedUsers={["ann"]}
          autoApprove={{ after: 2, audit: true, condition: () => true, revertOn: () => false }}
          async
          dependsOn={["b"]}
          timeoutMs={5}
          continueOnFail
          label="L"
        />,
      ),
    ).toEqual({
      ...COMMON,
      outputKey: "order",
      outputTableName: "out_order",
      kind: "approval",
      needsApproval: true,
      approvalMode: "rank",
      approvalOptions: options,
      approvalOnDeny: "skip",
      approvalRequest: request,
      approvalAllowedScopes: ["ops"],
      approvalAllowedUsers: ["ann"],
      approvalAutoApprove: { after: 2, audit: true, conditionMet: true, revertOnMet: false },
      waitAsync: true,
      dependsOn: ["b"],
      timeoutMs: 5,
      continueOnFail: true,
      // A failure that is expected is not tried again.
      retries: 0,
      label: "L",
    });
  });

  it.each(["select", "rank"] as const)("of mode %s needs options", (mode) => {
    expect(() => describeTask(<Approval id="a" output="verdict" mode={mode} request={request} />)).toThrow(
      expect.objectContaining({ code: "APPROVAL_OPTIONS_REQUIRED" }),
    );
  });

  it.each<[string, object]>([
    ["a request", { request: undefined }],
    ["a title", { request: { summary: "s" } }],
    [
      "options with different keys",
      {
        options: [
          { key: "x", label: "1" },
          { key: "x", label: "2" },
        ],
      },
    ],
    ["options with labels", { options: [{ key: "x" }] }],
    ["a known mode", { mode: "vote" }],
    ["a count of at least 0", { autoApprove: { after: -1 } }],
    ["functions as conditions", { autoApprove: { condition: true } }],
  ])("needs %s", (_name, props) => {
    expect(() => describeTask(<Approval id="a" output="verdict" request={request} {...props} />)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });
});

describe("waits:", () => {
  it("a Signal waits for its own id", () => {
    expect(particulars(<Signal id="a" schema={outputs.note} />)).toEqual({
      ...COMMON,
      retries: 0,
      kind: "event",
      eventWait: { name: "a", onTimeout: "fail" },
    });
  });

  it("a Signal inside nested loops has a plain name all the same", () => {
    const { Loop, Sequence } = components;
    const flow = rig(() => (
      <Workflow name="w">
        <Loop id="outer">
          <Sequence>
            <Loop id="inner">
              <Signal id="go" schema="note" />
            </Loop>
          </Sequence>
        </Loop>
      </Workflow>
    ));
    expect(flow.render().tasks[0]).toMatchObject({ nodeId: "go@@outer=0", eventWait: { name: "go" } });
  });

  it("a WaitForEvent waits for its event", () => {
    expect(
      particulars(
        <WaitForEvent
          id="a"
          event="paid"
          correlationId="order-1"
          output="note"
          timeoutMs={7}
          onTimeout="continue"
          async
        />,
      ),
    ).toEqual({
      ...COMMON,
      retries: 0,
      kind: "event",
      timeoutMs: 7,
      waitAsync: true,
      eventWait: { name: "paid", correlationId: "order-1", timeoutMs: 7, onTimeout: "continue" },
    });
  });

  it("a Timer waits for a duration or an instant, and has no row", () => {
    const timer = { ...COMMON, ...WITHOUT_ROW, kind: "timer" };
    expect(particulars(<Timer id="a" duration="2m" />)).toEqual({
      ...timer,
      timerWait: { durationMs: 120_000 },
    });
    expect(particulars(<Timer id="a" duration={250} />)).toEqual({
      ...timer,
      timerWait: { durationMs: 250 },
    });
    const until = "2031-05-01T09:00:00Z";
    const untilMs = Date.UTC(2031, 4, 1, 9);
    expect(particulars(<Timer id="a" until={until} />)).toEqual({ ...timer, timerWait: { untilMs } });
    expect(particulars(<Timer id="a" until={new Date(untilMs)} />)).toEqual({
      ...timer,
      timerWait: { untilMs },
    });
  });

  it.each<[string, object, string]>([
    ["repeat", { every: "5m" }, "timers fire once"],
    ["wait for nothing", {}, "neither duration nor until"],
    ["wait for two things", { duration: "1s", until: new Date(5) }, "both duration and until"],
    ["wait for a word", { duration: "soon" }, 'duration="soon"'],
    ["wait for less than nothing", { duration: -5 }, "duration={-5}"],
    ["wait for no date", { until: "next week" }, 'until="next week"'],
  ])("a Timer cannot %s", (_name, props, words) => {
    expect(() => describeTask(<Timer id="a" {...props} />)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", summary: expect.stringContaining(words) }),
    );
  });

  it("a Signal needs a schema of the workflow", () => {
    expect(() => describeTask(<Signal id="a" schema={z.object({}) as never} />)).toThrow(
      expect.objectContaining({ code: "UNKNOWN_OUTPUT_SCHEMA" }),
    );
    expect(() => describeTask(<Signal id="a" schema={undefined as never} />)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });

  it("a WaitForEvent needs an event", () => {
    expect(() => describeTask(<WaitForEvent id="a" event="" output="note" />)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });
});
