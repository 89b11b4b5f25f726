import { describe, expect, it } from "vitest";
import { createColors } from "../../../src/cli/output/styles.js";
import { summaryText } from "../../../src/cli/drive/summary.js";
import { RunTally } from "../../../src/cli/progress/run-tally.js";
import type { RunResult } from "../../../src/model/run.js";
import type { Blocker } from "../../../src/operations/explain/blocker.js";

const NOW = 1_000_000;

function summary(
  result: Omit<RunResult, "runId">,
  options: { blockers?: Blocker[]; stoppedBy?: "SIGINT" | "SIGTERM"; colors?: boolean } = {},
): string {
  return summaryText(
    { result: { runId: "k3j2", ...result }, tally: new RunTally(NOW - 2_000), stoppedBy: options.stoppedBy },
    {
      colors: createColors(options.colors ?? false),
      nowMs: NOW,
      blockers: options.blockers ?? [],
      runner: "treadle",
      commandText: (command) => command,
    },
  );
}

const blocker = (index: number): Blocker => ({
  kind: "approval",
  nodeId: `gate${index}`,
  sinceMs: 0,
  summary: `gate${index} waits for a decision: ${"very long ".repeat(100)}`,
  remedy: { action: "approve", runId: "k3j2", nodeId: `gate${index}`, iteration: 0 },
});

describe("the summary of a run", () => {
  it("that cannot use a stored row says which command makes the row anew, since a resume would not", () => {
    const text = summary({
      status: "failed",
      error: {
        name: "ServiceError",
        code: "INVALID_OUTPUT",
        message: "<Supervisor> reads the field.",
        details: { storedRow: { runId: "k3j2", nodeId: "s-plan", iteration: 2 } },
      },
    });
    expect(text.split("\n").at(-1)).toBe(
      "  make the row anew treadle retry-task k3j2 s-plan --iteration 2 --up",
    );
  });

  it("that failed names first cause, task, attempt, and the commands that show more", () => {
    const text = summary({
      status: "failed",
      error: {
        name: "ServiceError",
        code: "TASK_TIMEOUT",
        message: "Task build did not finish.",
        details: { nodeId: "build", iteration: 2, attempt: 3 },
      },
    });
    expect(text).toContain("cause TASK_TIMEOUT: Task build did not finish.");
    expect(text).toContain("in build #2 (attempt 3)");
    expect(text).toContain("treadle node k3j2 build --iteration 2");
    expect(text).toContain("treadle logs k3j2 --node build");
    expect(text).toContain("treadle up --resume k3j2");
  });

  it("that failed as a whole says that no task is to blame", () => {
    const text = summary({
      status: "failed",
      error: { name: "ServiceError", code: "SCHEDULER_ERROR", message: "m" },
    });
    expect(text).toContain("no task");
    expect(text).toContain("mend the file, then treadle up --resume k3j2 --accept-workflow-change");
  });

  it("that finished with failed tasks says so in yellow", () => {
    const text = summary(
      {
        status: "finished",
        failedChildren: 2,
        failedChildKeys: ["a::0", "b::3"],
        exhaustedLoops: ["refine"],
      },
      { colors: true },
    );
    const yellow = createColors(true).yellow;
    expect(text).toContain(yellow("! finished with 2 failed tasks: a, b #3"));
    expect(text).toContain("treadle node k3j2 a");
    expect(text).toContain("refine");
  });

  it("that finished well is one line", () => {
    expect(summary({ status: "finished" })).toBe("✓ run k3j2 finished after 2.0s");
  });

  it("that was stopped gives the exact command to continue", () => {
    const text = summary({ status: "running" }, { stoppedBy: "SIGINT" });
    expect(text).toContain("stopped by SIGINT");
    expect(text).toContain("treadle up --resume k3j2");
  });

  it("that ended although it was asked to stop says how it ended", () => {
    expect(summary({ status: "finished" }, { stoppedBy: "SIGINT" })).toContain("finished");
  });

  it("that waits lists what for and the command for each", () => {
    const text = summary({ status: "waiting-approval" }, { blockers: [blocker(1)] });
    expect(text).toContain("gate1 waits for a decision");
    expect(text).toContain("treadle approve k3j2 gate1");
    expect(text).toContain("treadle up --resume k3j2");
  });

  it("fits on the last 15 lines, however much there is to say", () => {
    const many = Array.from({ length: 40 }, (_, index) => blocker(index));
    const waiting = summary({ status: "waiting-approval" }, { blockers: many });
    expect(waiting.split("\n").length).toBeLessThanOrEqual(15);
    expect(waiting).toContain("35 more: treadle why k3j2");
    const failed = summary({
      status: "failed",
      error: { name: "Error", message: "line\n".repeat(500), details: { nodeId: "a", attempt: 1 } },
    });
    expect(failed.split("\n").length).toBeLessThanOrEqual(15);
  });
});
