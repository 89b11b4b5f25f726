import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const { Workflow, Sequence, Loop, Task, Subflow, Timer, Signal, Parallel, service, outputs } = createService({
  row: z.object({ n: z.number() }),
  output: z.object({ n: z.number() }),
  end: z.object({ before: z.number(), sum: z.number(), rounds: z.number() }),
});

let children = 0;
const child = service(() => (
  <Workflow name="child">
    <Task id="only" output={outputs.output}>
      {() => {
        children += 1;
        return { n: 7 };
      }}
    </Task>
  </Workflow>
));

const workflow = service((ctx) => (
  <Workflow name="chain">
    <Subflow id="before" workflow={child} output={outputs.row} />
    <Parallel>
      <Sequence>
        <Loop id="rounds" maxIterations={3} continueAsNewEvery={1}>
          <Task id="round" output={outputs.row}>
            {() => ({ n: (ctx.latest("row", "round")?.n ?? 0) + 1 })}
          </Task>
        </Loop>
        <Task id="end" output={outputs.end}>
          {() => ({
            before: ctx.output("row", { nodeId: "before" }).n,
            sum: ctx.latest("row", "round")?.n ?? 0,
            rounds: ctx.iterationCount("row", "round"),
          })}
        </Task>
      </Sequence>
      <Timer id="nap" duration="1h" />
      <Signal id="go" schema={outputs.row} />
    </Parallel>
  </Workflow>
));

/** More than the runs here make. */
const MOST_COMMITS = 30;

test.each(["before", "after"] as const)(
  "a chain whose process dies %s any of its commits ends as if nothing had happened",
  async (when) => {
    for (let commit = 1; commit <= MOST_COMMITS; commit += 1) {
      children = 0;
      const run = testWorkflow(workflow);
      const startedAtMs = run.clock.now();
      await run.run({ commit, when });
      if (run.result.status === "running") await run.resume();
      await run.signal("go", { n: 1 });
      await run.advance(startedAtMs + 3_600_000 - run.clock.now());
      expect(run.result.status).toBe("finished");
      const tasks = await run.tasks();
      expect(tasks.map(({ nodeId, iteration }) => `${nodeId}::${iteration}`).sort()).toEqual([
        ...["before::0", "end::0", "go::0", "nap::0", "round::1", "round::2"],
      ]);
      expect(tasks.find(({ nodeId }) => nodeId === "end")?.output).toEqual({ before: 7, sum: 3, rounds: 3 });
      // Work whose end was not committed is done again.
      expect(children).toBeLessThanOrEqual(when === "before" ? 2 : 1);
    }
  },
);
