import { describe, expect, it } from "vitest";
import type { LoopProps, Place } from "../../support/scheduler/place.js";
import { parallel, sequence } from "../../support/scheduler/place.js";
import { fail, finishAfter } from "../../support/scheduler/script.js";
import { ScriptedRun } from "../../support/scheduler/scripted-run.js";

/** How many of the tasks `round-1`, `round-2`, … have a row. */
function done(at: Place): number {
  let count = 0;
  while (at.has(`round-${count + 1}`, 0)) count += 1;
  return count;
}

/** A loop whose body mounts a task of another id once the one before has its row. */
const growing = (until: number, props: LoopProps = {}) => ({
  plan: (at: Place) =>
    sequence(
      at.loop("loop", { maxIterations: 2, ...props, until: (here) => done(here) >= until }, (here) =>
        here.task(`round-${done(here) + 1}`),
      ),
      at.task("after"),
    ),
});

describe("a loop that mounts tasks of new ids in an iteration", () => {
  it("continues with them until its condition holds, and starts none of them after that", () => {
    const run = new ScriptedRun(growing(3));
    expect(run.play()).toEqual({ kind: "finished" });
    expect(run.started).toEqual(["round-1::0", "round-2::0", "round-3::0", "after::0"]);
    expect(run.stateOf("round-4")).toBe("skipped");
    expect(run.events).toContainEqual({
      type: "LoopFinished",
      loopId: "loop",
      iterations: 1,
      exhausted: false,
    });
  });

  it("fails after a thousand of them, and says which loop and which tasks", () => {
    const run = new ScriptedRun(growing(Number.POSITIVE_INFINITY));
    expect(run.play()).toMatchObject({
      kind: "failed",
      failure: {
        error: {
          code: "SCHEDULER_ERROR",
          message: expect.stringMatching(
            /^Loop loop has mounted tasks with new ids 1000 times .* round-1001,/,
          ),
          details: { loopId: "loop", iteration: 0, nodeIds: ["round-1001"] },
        },
      },
    });
    expect(run.started).toHaveLength(1_000);
  });

  it("does so whenever the process dies", () => {
    const run = new ScriptedRun(growing(3));
    run.play();
    for (const runSnapshot of run.images) {
      const rest = run.restart(runSnapshot);
      expect(rest.play()).toEqual({ kind: "finished" });
      expect(rest.finished).toEqual(["round-1::0", "round-2::0", "round-3::0", "after::0"]);
    }
  });

  it("decides once all of them have ended, not when the first has", () => {
    const run = new ScriptedRun({
      plan: (at) =>
        at.loop("loop", { until: (here) => here.has("b", 0) }, (here) =>
          sequence(here.task("a"), ...(here.has("a", 0) ? [here.task("b")] : []), here.task("c")),
        ),
    });
    expect(run.play()).toEqual({ kind: "finished" });
    expect(run.started).toEqual(["a::0", "b::0", "c::0"]);
  });

  it("continues to the next iteration when nothing new is mounted", () => {
    const run = new ScriptedRun({
      plan: (at) =>
        at.loop("loop", { maxIterations: 2 }, (here) =>
          sequence(here.task("a"), ...(here.has("a") ? [here.task("b")] : [])),
        ),
    });
    expect(run.play()).toEqual({ kind: "finished" });
    expect(run.started).toEqual(["a::0", "b::0", "a::1", "b::1"]);
  });

  it("leaves loops and blocks inside to themselves", () => {
    const run = new ScriptedRun({
      plan: (at) =>
        at.loop("outer", { until: (here) => here.has("b@@outer=0", 1) }, (here) =>
          sequence(
            here.loop("inner", { maxIterations: 2 }, (inside) => inside.task("b")),
            here.tryBlock("t", {
              try: here.task("c", { retries: 0 }),
              catch: () => here.task("d"),
            }),
          ),
        ),
      script: { "c::0": fail("broken"), c: fail("broken") },
    });
    expect(run.play()).toEqual({ kind: "finished" });
    expect(run.started).toEqual(["b@@outer=0::0", "b@@outer=0::1", "c::0", "d::0"]);
  });

  it("skips what is mounted in it once it is over", () => {
    const run = new ScriptedRun({
      plan: (at) =>
        sequence(
          at.loop("loop", { until: true }, (here) =>
            sequence(here.task("a"), ...(at.has("b", 0) ? [here.task("late")] : [])),
          ),
          at.task("b"),
          at.task("c"),
        ),
    });
    expect(run.play()).toEqual({ kind: "finished" });
    expect(run.started).toEqual(["a::0", "b::0", "c::0"]);
    expect(run.stateOf("late")).toBe("skipped");
  });

  describe("while others of the iteration are in progress", () => {
    /** How many tasks of the pairs have a row. An id is one more than the rows there were. */
    const rows = (at: Place) => {
      let count = 0;
      for (let id = 1; id <= count + 1; id += 1) {
        for (const side of ["x", "y"]) if (at.has(`${side}-${id}`, 0)) count += 1;
      }
      return count;
    };
    // The one takes longer than the other, so that something is always in progress.
    const slow = Object.fromEntries(Array.from({ length: 3_000 }, (_, id) => [`y-${id}`, finishAfter(3)]));
    const pairs = (until: number) => ({
      plan: (at: Place) =>
        sequence(
          at.loop("loop", { until: (here) => rows(here) >= until }, (here) => {
            const next = rows(here) + 1;
            return parallel(here.task(`x-${next}`), here.task(`y-${next}`));
          }),
          at.task("after"),
        ),
      script: slow,
    });

    it("ends by its condition, and starts none of those mounted since then", () => {
      const run = new ScriptedRun(pairs(3));
      expect(run.play()).toEqual({ kind: "finished" });
      expect(run.started.at(-1)).toBe("after::0");
      expect(run.started.filter((key) => key.startsWith("x")).length).toBeLessThanOrEqual(3);
    });

    it("fails when it replaces its tasks for ever", () => {
      const run = new ScriptedRun(pairs(Number.POSITIVE_INFINITY));
      expect(run.play()).toMatchObject({
        kind: "failed",
        failure: {
          error: {
            code: "SCHEDULER_ERROR",
            message: expect.stringMatching(/^Loop loop has mounted tasks with new ids 1000 times/),
          },
        },
      });
    });

    it("continues with those that follow from what has ended, while its condition does not hold", () => {
      const run = new ScriptedRun({
        plan: (at) =>
          at.loop("loop", { until: (here) => here.has("fix", 0) }, (here) =>
            parallel(
              here.task("slow"),
              here.task("scan"),
              ...(here.has("scan", 0) ? [here.task("fix")] : []),
            ),
          ),
        script: { slow: finishAfter(10) },
      });
      expect(run.play()).toEqual({ kind: "finished" });
      expect(run.started).toEqual(["slow::0", "scan::0", "fix::0"]);
    });
  });
});
