import type { ReactNode } from "react";
import { type AlertRule, createService, ServiceError } from "treadle";
import { testWorkflow, type WorkflowTest } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const api = createService({ note: z.object({ text: z.string() }), decision: z.looseObject({}) });
const { Workflow, Sequence, Task, Loop, Approval, Signal, Timer, Aspects, service, outputs } = api;

const watched = (rules: Record<string, AlertRule>, tree: ReactNode) =>
  testWorkflow(service(() => <Workflow name="watched">{tree}</Workflow>, { alertPolicy: { rules } }));

const fired = async (test: WorkflowTest) =>
  (await test.events()).flatMap(({ event }) =>
    event.type === "AlertFired" ? [[event.rule, event.nodeId ?? null, event.message] as const] : [],
  );

const note = (id: string) => (
  <Task id={id} output={outputs.note}>
    {{ text: id }}
  </Task>
);
const approval = (id: string) => <Approval id={id} output={outputs.decision} request={{ title: "Ship?" }} />;
const failing = (id: string, props: { retries: number; continueOnFail?: boolean }) => (
  <Task id={id} output={outputs.note} {...props} retryPolicy={{ initialDelayMs: 60_000 }}>
    {(_inputs, { attempt }) => Promise.reject(new Error(`boom ${attempt}`))}
  </Task>
);

describe("a rule without afterMs", () => {
  it.each<[string, ReactNode, readonly (readonly [string, string | null, string])[]]>([
    ["run-finished", note("a"), [["run-finished", null, "Run test has finished."]]],
    ["run-failed", failing("a", { retries: 0 }), [["run-failed", null, "Run test has failed."]]],
    ["task-failed", failing("a", { retries: 0 }), [["task-failed", "a", "Task a has failed."]]],
    [
      "task-failed",
      failing("a", { retries: 0, continueOnFail: true }),
      [["task-failed", "a", "Task a has failed."]],
    ],
    [
      "task-retrying",
      failing("a", { retries: 1 }),
      [["task-retrying", "a", "Task a has failed and is tried again."]],
    ],
    ["task-running", note("a"), [["task-running", "a", "Task a is running."]]],
    ["approval-pending", approval("a"), [["approval-pending", "a", "Task a waits for a decision."]]],
    [
      "event-pending",
      <Signal id="a" schema={outputs.note} />,
      [["event-pending", "a", "Task a waits for a signal."]],
    ],
    [
      "timer-pending",
      <Timer id="a" duration="1h" />,
      [["timer-pending", "a", "Task a waits for its timer."]],
    ],
    [
      "loop-exhausted",
      <Loop id="l" until={false} maxIterations={2}>
        {note("a")}
      </Loop>,
      [["loop-exhausted", null, "Run test has stopped at its limit of iterations."]],
    ],
    ["run-running", note("a"), [["run-running", null, "Run test is running."]]],
  ])("%s fires when it comes about", async (rule, tree, expected) => {
    const test = watched({ [rule]: {} }, tree);
    await test.run();
    expect(await fired(test)).toEqual(expected);
  });

  it("fires when a person denies", async () => {
    const test = watched({ "approval-denied": {} }, approval("ship"));
    await test.run();
    expect(await fired(test)).toEqual([]);
    await test.deny("ship");
    expect(await fired(test)).toEqual([["approval-denied", "ship", "Task ship was denied."]]);
  });

  it("fires when an agent's quota is gone", async () => {
    const agent = {
      generate: () =>
        Promise.reject(
          new ServiceError("AGENT_QUOTA_EXCEEDED", "none left", { details: { resetAtMs: 9e15 } }),
        ),
    };
    const test = watched(
      { "quota-pending": {} },
      <Task id="ask" output={outputs.note} agent={agent}>
        hello
      </Task>,
    );
    await test.run();
    expect(await fired(test)).toEqual([["quota-pending", "ask", "Task ask waits for an agent's quota."]]);
  });

  it("fires when a budget is used up", async () => {
    const agent = {
      generate: async () => ({ output: { text: "x" }, usage: { inputTokens: 90, outputTokens: 20 } }),
    };
    const test = watched(
      { "budget-exceeded": {} },
      <Aspects tokenBudget={{ max: 100, onExceeded: "warn" }}>
        <Sequence>
          {["a", "b"].map((id) => (
            <Task key={id} id={id} output={outputs.note} agent={agent}>
              hello
            </Task>
          ))}
        </Sequence>
      </Aspects>,
    );
    await test.run();
    expect((await fired(test)).map(([rule, node]) => [rule, node])).toEqual([["budget-exceeded", "b"]]);
  });
});

describe("a rule with afterMs", () => {
  it("fires once the condition has held that long, also while no process drives the run", async () => {
    const test = watched({ "approval-pending": { afterMs: 3_600_000 } }, approval("ship"));
    await test.run();
    await test.advance("59m");
    expect(await fired(test)).toEqual([]);
    await test.advance("1m");
    expect(await fired(test)).toEqual([
      ["approval-pending", "ship", "Task ship waits for a decision, for 1h 00m by now."],
    ]);
    expect(test.result.status).toBe("waiting-approval");
  });

  it("does not fire for what has ended in time", async () => {
    const test = watched(
      { "approval-pending": { afterMs: 3_600_000 } },
      <Sequence>
        {approval("ship")}
        <Timer id="rest" duration="2h" />
      </Sequence>,
    );
    await test.run();
    await test.advance("59m");
    await test.approve("ship");
    await test.advance("3h");
    expect(await fired(test)).toEqual([]);
  });

  it("fires once for a task, however long it continues and however often the run is taken up", async () => {
    const test = watched({ "approval-pending": { afterMs: 1_000 } }, approval("ship"));
    await test.run();
    await test.advance("1h");
    await test.crash();
    await test.resume();
    await test.advance("1d");
    expect(await fired(test)).toHaveLength(1);
  });

  it("fires at once when it came due while the process was down", async () => {
    const test = watched({ "run-running": { afterMs: 3_600_000 } }, approval("ship"));
    await test.run();
    await test.crash();
    test.clock.moveTo(test.clock.now() + 7 * 86_400_000);
    await test.resume();
    expect(await fired(test)).toEqual([["run-running", null, "Run test is running, for 1h 00m by now."]]);
  });

  it("counts the attempts of a task that is tried again as one", async () => {
    const test = watched({ "task-retrying": { afterMs: 150_000 } }, failing("a", { retries: 9 }));
    await test.run();
    await test.advance("149s");
    expect(await fired(test)).toEqual([]);
    await test.advance("1s");
    expect((await fired(test)).map(([rule]) => rule)).toEqual(["task-retrying"]);
  });

  it("steps from rule to rule while a condition lasts", async () => {
    const test = watched(
      { "approval-pending": {}, "approval-pending/escalate": { afterMs: 60_000 } },
      approval("ship"),
    );
    await test.run();
    await test.advance("1m");
    expect((await fired(test)).map(([rule]) => rule)).toEqual([
      "approval-pending",
      "approval-pending/escalate",
    ]);
  });
});

describe("an alert", () => {
  it("says who is to look at it, how bad it is, and what to do", async () => {
    const rule = {
      owner: "ops",
      severity: "critical",
      runbook: "https://example.org/1",
      labels: { a: "b" },
    } as const;
    const test = watched({ "task-failed": rule }, failing("a", { retries: 0 }));
    await test.run();
    const event = (await test.events()).find((stored) => stored.event.type === "AlertFired")?.event;
    expect(event).toMatchObject({
      ...rule,
      rule: "task-failed",
      reaction: "emit-only",
      nodeId: "a",
      iteration: 0,
    });
  });
});
