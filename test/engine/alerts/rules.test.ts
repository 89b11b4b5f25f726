import { type AlertPolicy, createService, type ServiceError } from "treadle";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { resolveAlertPolicy } from "../../../src/engine/alerts/rules.js";

const refusal = (policy: unknown): ServiceError => {
  try {
    resolveAlertPolicy(policy as AlertPolicy, { pager: () => {} });
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("the policy was taken");
};

describe("an alert policy", () => {
  it("hands its defaults down to every rule that does not say otherwise", () => {
    const [rule] = resolveAlertPolicy({
      defaults: { owner: "ops", severity: "critical", labels: { team: "a" } },
      rules: { "run-failed": { owner: "dev" } },
    });
    expect(rule).toEqual({
      name: "run-failed",
      condition: "run-failed",
      owner: "dev",
      severity: "critical",
      labels: { team: "a" },
      afterMs: 0,
      reaction: { kind: "emit-only" },
    });
  });

  it("takes a reaction inline, by the name it has in the policy, or by its kind", () => {
    const rules = resolveAlertPolicy(
      {
        rules: {
          "run-failed": { reaction: { kind: "deliver", destination: "https://example.org/hook" } },
          "task-failed": { reaction: "page" },
          "approval-pending": { reaction: "pause" },
        },
        reactions: { page: { kind: "deliver", destination: "pager" } },
      },
      { pager: () => {} },
    );
    expect(rules.map(({ reaction }) => reaction)).toEqual([
      { kind: "deliver", destination: "https://example.org/hook" },
      { kind: "deliver", destination: "pager" },
      { kind: "pause" },
    ]);
  });

  it("may watch one condition with several rules, distinguished by a name after a slash", () => {
    const rules = resolveAlertPolicy({
      rules: { "approval-pending": {}, "approval-pending/escalate": { afterMs: 5 } },
    });
    expect(rules.map(({ condition, afterMs }) => [condition, afterMs])).toEqual([
      ["approval-pending", 0],
      ["approval-pending", 5],
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    [
      "a condition that does not exist",
      { rules: { "run-lost": {} } },
      /rules\.run-lost: .*known are run-running/,
    ],
    [
      "afterMs on what does not last",
      { rules: { "run-failed": { afterMs: 5 } } },
      /rules\.run-failed\.afterMs/,
    ],
    ["a negative afterMs", { rules: { "run-running": { afterMs: -1 } } }, /rules\.run-running\.afterMs/],
    ["an unknown severity", { defaults: { severity: "fatal" } }, /defaults\.severity/],
    ["an unknown member", { rules: { "run-failed": { after: 5 } } }, /rules\.run-failed/],
    ["a reaction nobody has named", { rules: { "run-failed": { reaction: "wake-up" } } }, /"wake-up"/],
    [
      "a destination that is nothing",
      { rules: { "run-failed": { reaction: { kind: "deliver", destination: "mail" } } } },
      /destination: .*alertHandlers/,
    ],
    ["a reaction without its destination", { reactions: { page: { kind: "deliver" } } }, /reactions\.page/],
  ])("is refused for %s", (_what, policy, message) => {
    const error = refusal(policy);
    expect(error.code).toBe("ALERT_POLICY_INVALID");
    expect(error.message).toMatch(message);
  });

  it("is looked at when the workflow is made, wherever it was given", () => {
    const bad = { rules: { "run-lost": {} } };
    const schemas = { note: z.object({ text: z.string() }) };
    expect(() =>
      createService(schemas, { dbPath: ":memory:" }).service(() => null, { alertPolicy: bad }),
    ).toThrow(/run-lost/);
    expect(() =>
      createService(schemas, { dbPath: ":memory:", alertPolicy: bad }).service(() => null),
    ).toThrow(/run-lost/);
  });
});
