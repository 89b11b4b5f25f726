import { describe, expect, it } from "vitest";
import { waitLine } from "../../../src/cli/drive/wait-line.js";
import { createColors } from "../../../src/cli/output/styles.js";
import type { Blocker } from "../../../src/operations/explain/blocker.js";

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

const approval: Blocker = {
  kind: "approval",
  nodeId: "gate",
  sinceMs: NOW,
  summary: "gate waits for a decision: Ship it?",
  remedy: { action: "approve", runId: "r", nodeId: "gate", iteration: 0 },
};

function line(blockers: Blocker[], options: { wait?: boolean; wakeAtMs?: number }): string | undefined {
  const { wait = false, wakeAtMs } = options;
  return waitLine(blockers, { colors: createColors(false), nowMs: NOW, wait, wakeAtMs });
}

describe("why up stays with a run that waits", () => {
  it("is nothing where only people can move it, and it was not asked to stay for them", () => {
    expect(line([approval], {})).toBeUndefined();
  });

  it("is a deadline of what it waits for, whatever alert is due before", () => {
    const timed = { ...approval, untilMs: NOW + 2 * HOUR };
    expect(line([timed], { wakeAtMs: NOW + HOUR })).toContain("(until 2026-01-01T02:00:00Z, in 2h 00m)");
  });

  it("is an alert, where nothing else has a time", () => {
    const said = line([approval], { wakeAtMs: NOW + HOUR });
    expect(said).toContain("Ship it?");
    expect(said).toContain("an alert is due 2026-01-01T01:00:00Z, in 1h 00m");
  });
});
