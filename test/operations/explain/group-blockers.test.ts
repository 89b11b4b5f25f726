import { describe, expect, it } from "vitest";
import type { Blocker } from "../../../src/operations/explain/blocker.js";
import { groupBlockers } from "../../../src/operations/explain/group-blockers.js";

const none = { sinceMs: 0, remedy: null };

function capped(nodeId: string, limit = 2, unnamed = 0): Blocker {
  const cap = { groupId: null, limit, holders: [] };
  const besides = unnamed > 0 ? { unnamed } : {};
  return {
    ...none,
    kind: "concurrency",
    nodeId,
    iteration: 0,
    cap,
    summary: `${nodeId} could start.`,
    ...besides,
  };
}

function asked(nodeId: string): Blocker {
  return { ...none, kind: "approval", nodeId, iteration: 0, summary: `${nodeId} waits.` };
}

describe("blockers by cause", () => {
  it("are one with a count where they say the same", () => {
    const [group, ...others] = groupBlockers([capped("a"), capped("b")]);
    expect(others).toEqual([]);
    expect(group).toMatchObject({
      nodeId: "a",
      count: 2,
      nodes: [
        { nodeId: "a", iteration: 0 },
        { nodeId: "b", iteration: 0 },
      ],
      summary: "a could start. The same holds for 1 more: b.",
    });
  });

  it("count those that are not named", () => {
    expect(groupBlockers([capped("a", 2, 7), capped("b")])[0]).toMatchObject({ count: 9 });
  });

  it("are left as they are where each says something of its own", () => {
    const all = [asked("a"), asked("b"), capped("c", 1), capped("d", 2)];
    expect(groupBlockers(all)).toEqual(all);
  });

  it("keep those of a child run apart", () => {
    expect(groupBlockers([capped("a"), { ...capped("a"), runId: "child" }])).toHaveLength(2);
  });

  it("begin with failures and decisions", () => {
    const failed: Blocker = { ...none, kind: "failed-task", summary: "It failed." };
    const timer: Blocker = { ...none, kind: "timer", nodeId: "t", summary: "It waits." };
    const kinds = groupBlockers([capped("a"), timer, asked("b"), failed]).map(({ kind }) => kind);
    expect(kinds).toEqual(["failed-task", "approval", "timer", "concurrency"]);
  });
});
