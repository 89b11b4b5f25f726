import { describe, expect, it } from "vitest";
import { z } from "zod";
import { aggregateScores, createScorer, runScorersBatch } from "../../src/scorers/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { note: z.object({ text: z.string() }) };

const scorer = (id: string, score: () => Promise<{ score: number }>) =>
  createScorer({ id, name: id.toUpperCase(), description: "", score });

const place = { runId: "run", nodeId: "a", iteration: 0, attempt: 1 };
const context = { ...place, input: "p", output: { text: "a" }, latencyMs: 3 };

async function finished(scores: readonly number[] = []) {
  const scene = openScene(schemas);
  const { Workflow, Task, service, outputs } = scene.api;
  const workflow = service(() => (
    <Workflow name="w">
      {["a", ...scores.map((_, index) => `t${index}`)].map((id) => {
        const said = scores[Number(id.slice(1))];
        const live = scorer("style", async () => ({ score: said ?? 0 }));
        return (
          <Task
            key={id}
            id={id}
            output={outputs.note}
            {...(id !== "a" && { scorers: { live: { scorer: live } } })}
          >
            {{ text: "a" }}
          </Task>
        );
      })}
    </Workflow>
  ));
  await scene.run(workflow);
  return { ...scene, workflow };
}

describe("runScorersBatch", () => {
  const scorers = {
    good: { scorer: scorer("good", async () => ({ score: 0.5 })) },
    broken: { scorer: scorer("broken", () => Promise.reject(new Error("no"))) },
    hanging: { scorer: scorer("hanging", () => new Promise(() => {})) },
    unwanted: {
      scorer: scorer("unwanted", async () => ({ score: 1 })),
      sampling: { type: "none" as const },
    },
  };

  it("gives a result by each name, null where there is none", async () => {
    expect(await runScorersBatch(scorers, context, { timeoutMs: 20 })).toEqual({
      good: { score: 0.5 },
      broken: null,
      hanging: null,
      unwanted: null,
    });
  });

  it("keeps its input, and what has failed, with the run; a second time replaces the first", async () => {
    const { workflow, store } = await finished();
    await runScorersBatch(scorers, context, { target: workflow, timeoutMs: 20 });
    await runScorersBatch(scorers, context, { target: workflow, timeoutMs: 20 });
    const rows = await store.listScores({ runId: "run", limit: 10 });
    expect(rows.map(({ scorerId, source, state, score }) => [scorerId, source, state, score]).sort()).toEqual(
      [
        ["broken", "batch", "failed", null],
        ["good", "batch", "scored", 0.5],
        ["hanging", "batch", "failed", null],
      ],
    );
    expect(rows.find(({ scorerId }) => scorerId === "good")).toMatchObject({
      ...place,
      inputJson: '"p"',
      outputJson: '{"text":"a"}',
      latencyMs: 3,
    });
  });

  const fine = scorers.good;
  it.each([
    [null, "scorers"],
    [{ x: {} }, 'scorers["x"].scorer.id'],
    [{ x: null }, 'scorers["x"]'],
    [{ x: { ...fine, sampling: { type: "sometimes" } } }, 'scorers["x"].sampling'],
    [{ x: { ...fine, sampling: { type: "ratio", rate: 5 } } }, 'scorers["x"].sampling'],
    [{ x: { ...fine, sampling: { type: "ratio" } } }, 'scorers["x"].sampling'],
    [{ x: { ...fine, groundTruth: () => 1 } }, 'scorers["x"].groundTruth'],
    [{ x: fine, y: fine }, "scorers"],
  ])("refuses scorers that a task refuses: %j", async (given, option) => {
    await expect(runScorersBatch(given as never, context)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { option },
    });
  });

  it.each([
    [undefined, "context"],
    [{ ...context, nodeId: undefined }, "context.nodeId"],
    [{ ...context, attempt: 0 }, "context.attempt"],
    [{ ...context, latency: 1 }, "context.latency"],
  ])("refuses the context %j", async (given, option) => {
    await expect(runScorersBatch({ fine }, given as never)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { option },
    });
  });

  it("refuses to keep scores of a run that there is not", async () => {
    const { workflow } = await finished();
    await expect(
      runScorersBatch({ good: scorers.good }, { ...context, runId: "other" }, { target: workflow }),
    ).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});

describe("aggregateScores", () => {
  it.each([
    [[0.5], { count: 1, mean: 0.5, min: 0.5, max: 0.5, p50: 0.5, stddev: 0 }],
    [[0, 1], { count: 2, mean: 0.5, min: 0, max: 1, p50: 0.5, stddev: 0.5 }],
    [[0.25, 1, 0.25], { count: 3, mean: 0.5, min: 0.25, max: 1, p50: 0.25, stddev: Math.sqrt(0.125) }],
    [[0, 0.25, 0.75, 1], { count: 4, mean: 0.5, min: 0, max: 1, p50: 0.5, stddev: Math.sqrt(0.15625) }],
  ])("of %j is the mean, the ends, the median and the deviation of all", async (scores, expected) => {
    const { workflow } = await finished(scores);
    const [aggregate, ...others] = await aggregateScores(workflow);
    expect(others).toEqual([]);
    expect(aggregate).toMatchObject({
      scorerId: "style",
      scorerName: "STYLE",
      ...expected,
      stddev: expect.any(Number),
    });
    expect(aggregate?.stddev).toBeCloseTo(expected.stddev, 12);
  });

  it("keeps scorers apart, and takes only those that it is asked for", async () => {
    const { workflow } = await finished([0.25, 0.75]);
    const tone = { tone: { scorer: scorer("tone", async () => ({ score: 1 })) } };
    await runScorersBatch(tone, { ...context, nodeId: "t0" }, { target: workflow });
    const found = async (options: Parameters<typeof aggregateScores>[1]) =>
      (await aggregateScores(workflow, options)).map(({ scorerId, count, mean }) => [scorerId, count, mean]);
    expect(await found({})).toEqual([
      ["style", 2, 0.5],
      ["tone", 1, 1],
    ]);
    expect(await found({ nodeId: "t0" })).toEqual([
      ["style", 1, 0.25],
      ["tone", 1, 1],
    ]);
    expect(await found({ scorerId: "style" })).toEqual([["style", 2, 0.5]]);
    expect(await found({ runId: "other" })).toEqual([]);
  });

  it("refuses a filter that there is not, which would mean everything", async () => {
    const { workflow } = await finished();
    await expect(aggregateScores(workflow, { node: "a" } as never)).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});
