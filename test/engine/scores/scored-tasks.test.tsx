import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ScorerInput } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";
import { scorer } from "./support.js";
import { deferred } from "../../../src/util/deferred.js";

const schemas = { note: z.object({ text: z.string() }) };

describe("a task with a scorer", () => {
  it("has its row scored, with what it was given and what the scorer said", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, service, outputs } = scene.api;
    const seen: ScorerInput[] = [];
    const style = scorer(async (input) => {
      seen.push(input);
      return { score: 0.25, reason: "Too short.", meta: { words: 1 } };
    });
    const workflow = service(() => (
      <Workflow name="w">
        <Task id="first" output={outputs.note}>
          {{ text: "a" }}
        </Task>
        <Task
          id="second"
          output={outputs.note}
          deps={{ first: outputs.note }}
          scorers={{ style: { scorer: style, groundTruth: "ab", context: ["c"] } }}
        >
          {async ({ first }) => {
            await scene.time.pause(40);
            return { text: `${first.text}b` };
          }}
        </Task>
      </Workflow>
    ));
    expect((await scene.run(workflow)).status).toBe("finished");
    expect(seen).toEqual([
      {
        input: { first: { text: "a" } },
        output: { text: "ab" },
        groundTruth: "ab",
        context: ["c"],
        latencyMs: 40,
        outputSchema: schemas.note,
        signal: expect.any(AbortSignal),
        onUsage: expect.any(Function),
      },
    ]);
    expect(await scene.store.listScores({ runId: "run", limit: 10 })).toEqual([
      {
        id: expect.stringMatching(/^scorer_[0-9a-f]{32}$/),
        runId: "run",
        nodeId: "second",
        iteration: 0,
        attempt: 1,
        scorerId: "style",
        scorerName: "STYLE",
        source: "live",
        state: "scored",
        score: 0.25,
        reason: "Too short.",
        error: null,
        metaJson: '{"words":1}',
        inputJson: '{"first":{"text":"a"}}',
        outputJson: '{"text":"ab"}',
        latencyMs: 40,
        sampledAtMs: expect.any(Number),
        scoredAtMs: expect.any(Number),
        durationMs: 0,
      },
    ]);
    const types = (await scene.eventTypes()).filter((type) => /^(Scorer|RunF|NodeFin)/.test(type));
    expect(types).toEqual(["NodeFinished", "NodeFinished", "ScorerStarted", "ScorerFinished", "RunFinished"]);
  });

  it("does not hold up what comes after it, and the run's end waits for the score", async () => {
    const scene = openScene(schemas);
    const { Workflow, Task, service, outputs } = scene.api;
    const answer = deferred<{ score: number }>();
    const workflow = service(() => (
      <Workflow name="w">
        <Task id="a" output={outputs.note} scorers={{ style: { scorer: scorer(() => answer.promise) } }}>
          {{ text: "a" }}
        </Task>
        <Task id="b" output={outputs.note}>
          {{ text: "b" }}
        </Task>
      </Workflow>
    ));
    const run = scene.drive(workflow);
    await scene.time.advance(1_000);
    expect((await scene.node("b"))?.state).toBe("finished");
    expect((await scene.store.getRun("run"))?.status).toBe("running");
    answer.resolve({ score: 1 });
    expect((await scene.time.until(run)).status).toBe("finished");
    expect((await scene.store.listScores({ runId: "run", limit: 10 }))[0]?.score).toBe(1);
  });
});
