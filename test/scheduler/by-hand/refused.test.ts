import { expect, it } from "vitest";
import { type PlanOf, sequence } from "../../support/scheduler/place.js";
import { fail, hang, type Script } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

type Action = "complete" | "skip";

const BOTH: readonly Action[] = ["complete", "skip"];

/** What a task is, for whom it is refused, and with which code. */
const CASES: readonly [string, PlanOf, Script, readonly Action[], string][] = [
  ["an attempt of it is under way", (at) => at.task("a"), { a: hang }, BOTH, "NODE_IN_PROGRESS"],
  ["it is finished", (at) => sequence(at.task("a"), at.event("end")), {}, BOTH, "NODE_ENDED"],
  [
    "it is skipped",
    (at) => sequence(at.task("a", { skipIf: true }), at.event("end")),
    {},
    BOTH,
    "NODE_ENDED",
  ],
  [
    "its failure is tolerated",
    (at) => sequence(at.task("a", { continueOnFail: true, retries: 0 }), at.event("end")),
    { a: fail() },
    BOTH,
    "NODE_ENDED",
  ],
  ["it is an approval", (at) => at.approval("a"), {}, BOTH, "INVALID_INPUT"],
  [
    "a person answers it",
    (at) => at.task("a", { kind: "human", needsApproval: true }),
    {},
    BOTH,
    "INVALID_INPUT",
  ],
  ["a person lets it start", (at) => at.task("a", { needsApproval: true }), {}, BOTH, "INVALID_INPUT"],
  [
    "a person will let it start",
    (at) => sequence(at.event("before"), at.task("a", { needsApproval: true })),
    {},
    BOTH,
    "INVALID_INPUT",
  ],
  [
    "it is a part of a sandbox",
    (at) => sequence(at.event("x"), at.task("a", { kind: "sandbox" })),
    {},
    BOTH,
    "INVALID_INPUT",
  ],
  ["it is a timer", (at) => at.timer("a", { durationMs: 60_000 }), {}, ["complete"], "INVALID_INPUT"],
  [
    "it is a subflow whose child run waits",
    (at) => at.task("a", { kind: "subflow" }),
    { a: { kind: "park", status: "waiting-event" } },
    ["complete"],
    "INVALID_INPUT",
  ],
  ["there is no such task", (at) => at.event("other"), {}, BOTH, "NODE_NOT_FOUND"],
];

it.each(
  CASES.flatMap(([why, plan, script, actions, code]) =>
    actions.map((action) => [action, why, plan, script, code] as const),
  ),
)("to %s a task is refused where %s, and nothing changes", (action, _why, plan, script, code) => {
  const run = new ScriptedRun({ plan, script });
  run.advance(5);
  const before = run.runSnapshot.nodes;
  const about = { nodeId: "a", iteration: 0, by: "ann", note: "done" };
  run.send(action === "complete" ? { kind: action, output: {}, ...about } : { kind: action, ...about });
  expect(run.runSnapshot.nodes).toEqual(before);
  expect(run.runSnapshot.inbox).toEqual([]);
  expect(run.events.at(-1)).toEqual({
    type: "InterventionRefused",
    nodeId: "a",
    iteration: 0,
    action,
    code,
    message: expect.stringContaining("a"),
    by: "ann",
    note: "done",
  });
});

it("a task that was let start and has not begun may be completed", () => {
  const run = new ScriptedRun({
    plan: (at) => at.task("a", { needsApproval: true, retryPolicy: { initialDelayMs: 5_000 } }),
    script: { a: fail() },
  });
  run.decide("a", true);
  run.advance(10);
  run.send({ kind: "complete", nodeId: "a", iteration: 0, output: {} });
  expect(run.play()).toEqual({ kind: "finished" });
});

it("a row that does not fit is refused with what is wrong, and the task stays as it is", () => {
  const run = new ScriptedRun({ plan: (at) => at.event("a") });
  const problem = { code: "INVALID_OUTPUT", message: "n: a number is expected" };
  run.send({ kind: "complete", nodeId: "a", iteration: 0, output: {}, problem });
  expect(run.stateOf("a")).toBe("waiting-event");
  expect(run.events.at(-1)).toMatchObject({ type: "InterventionRefused", ...problem });
});
