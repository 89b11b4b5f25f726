import { createService, type ServiceWorkflow } from "treadle";
import { createScorer } from "treadle/scorers";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

function scored(): ServiceWorkflow {
  const { Workflow, Task, service, outputs } = createService(
    { note: z.object({ text: z.string() }), output: z.object({ mean: z.number() }) },
    { dbPath: ":memory:" },
  );
  const of = (id: string, score: number) =>
    createScorer({
      id,
      name: id,
      description: "",
      // As a judge does: it takes turns of the event loop.
      score: () => new Promise((resolve) => setImmediate(() => resolve({ score }))),
    });
  const scorers = { low: { scorer: of("low", 0.25) }, high: { scorer: of("high", 0.75) } };
  return service(() => (
    <Workflow name="scored">
      <Task id="a" output={outputs.note} scorers={scorers}>
        {{ text: "a" }}
      </Task>
      <Task id="b" output={outputs.note} scorers={scorers}>
        {{ text: "b" }}
      </Task>
      <Task id="mean" output={outputs.output}>
        {async (_, { scores }) => {
          const found = [...(await scores("a")), ...(await scores("b"))];
          return { mean: found.reduce((sum, { score }) => sum + (score ?? 9), 0) / found.length };
        }}
      </Task>
    </Workflow>
  ));
}

const EXPECTED = ["a high 0.75", "a low 0.25", "b high 0.75", "b low 0.25"];

const told = async (test: ReturnType<typeof testWorkflow>) =>
  (await test.scores()).map(({ nodeId, scorerId, score }) => `${nodeId} ${scorerId} ${score}`);

describe("a workflow under test", () => {
  it("has its scores when the run has ended", async () => {
    const test = testWorkflow(scored());
    expect(await test.run()).toMatchObject({ status: "finished", output: { mean: 0.5 } });
    expect(await told(test)).toEqual(EXPECTED);
  });

  it("has every score once, no matter at which commit its process dies", async () => {
    for (const when of ["before", "after"] as const) {
      let hasDied = true;
      for (let commit = 1; hasDied; commit += 1) {
        const test = testWorkflow(scored());
        await test.run({ commit, when });
        hasDied = test.result.status === "running";
        const result = hasDied ? await test.resume() : test.result;
        expect(result, `${when} commit ${commit}`).toMatchObject({
          status: "finished",
          output: { mean: 0.5 },
        });
        expect(await told(test), `${when} commit ${commit}`).toEqual(EXPECTED);
        const ended = (await test.events()).filter(({ event }) => event.type === "ScorerFinished");
        expect(ended, `${when} commit ${commit}`).toHaveLength(EXPECTED.length);
      }
    }
  });
});
