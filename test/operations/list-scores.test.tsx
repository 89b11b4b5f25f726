import { describe, expect, it } from "vitest";
import { z } from "zod";
import { explainRun, listScores, type Scorer } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { note: z.object({ text: z.string() }), go: z.object({}) };

function scene(score: Scorer["score"], options: { waits?: boolean; tasks?: number } = {}) {
  const open = openScene(schemas);
  const { Workflow, Task, Signal, service, outputs } = open.api;
  const scorer: Scorer = { id: "style", name: "Style", description: "", score };
  const workflow = service(() => (
    <Workflow name="w">
      {Array.from({ length: options.tasks ?? 1 }, (_, index) => (
        <Task key={index} id={`t${index}`} output={outputs.note} scorers={{ style: { scorer } }}>
          {{ text: String(index) }}
        </Task>
      ))}
      {options.waits === true ? <Signal id="go" schema={outputs.go} /> : null}
    </Workflow>
  ));
  return { ...open, workflow };
}

describe("listScores", () => {
  it("gives a run's scores page by page, each page with what all of them come to", async () => {
    const { run, workflow } = scene(async ({ output }) => ({ score: Number(Object(output).text) / 4 }), {
      tasks: 5,
    });
    await run(workflow);
    const seen: (number | null)[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await listScores(workflow, { runId: "run", limit: 2, ...(cursor != null && { cursor }) });
      expect(page.scores.length).toBeLessThanOrEqual(2);
      expect(page.summary).toMatchObject([{ scorerId: "style", count: 5, mean: 0.5 }]);
      seen.push(...page.scores.map(({ score }) => score));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect((await listScores(workflow, { runId: "run", nodeId: "t4" })).summary).toMatchObject([{ mean: 1 }]);
    expect((await listScores(workflow, { runId: "run", state: "failed" })).scores).toEqual([]);
  });

  it.each([
    [{ runId: "other" }, "RUN_NOT_FOUND"],
    [{}, "INVALID_INPUT"],
    [{ runId: "run", node: "a" }, "INVALID_INPUT"],
    [{ runId: "run", state: "done" }, "INVALID_INPUT"],
    [{ runId: "run", cursor: "[1]" }, "INVALID_INPUT"],
  ])("refuses %j with %s", async (filter, code) => {
    const { run, workflow } = scene(async () => ({ score: 1 }));
    await run(workflow);
    await expect(listScores(workflow, filter as never)).rejects.toMatchObject({ code });
  });
});

describe("what keeps a run from its end", () => {
  const never: Scorer["score"] = () => new Promise(() => {});

  it.each([[false], [true]])(
    "are the scorers that have not answered (it waits besides: %s)",
    async (waits) => {
      const { drive, time, workflow } = scene(never, { waits });
      const run = drive(workflow);
      await time.advance(10);
      const { blockers } = await explainRun(workflow, "run");
      expect(blockers.filter(({ kind }) => kind === "scores")).toEqual([
        {
          kind: "scores",
          sinceMs: expect.any(Number),
          summary: expect.stringContaining("Scorers have not answered yet: style of t0."),
          remedy: null,
        },
      ]);
      await time.until(run);
      expect((await explainRun(workflow, "run")).blockers.some(({ kind }) => kind === "scores")).toBe(false);
    },
  );
});
