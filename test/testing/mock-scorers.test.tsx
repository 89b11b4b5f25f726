import { createService } from "treadle";
import { createDemoAgent } from "treadle/agents";
import { createScorer, faithfulnessScorer, relevancyScorer } from "treadle/scorers";
import { type MockScorer, testWorkflow } from "treadle/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";

function scene() {
  const judge = createDemoAgent();
  const generate = vi.spyOn(judge, "generate");
  const { Workflow, Task, service, outputs } = createService({ note: z.object({ text: z.string() }) });
  const short = createScorer({
    id: "short",
    name: "Short",
    description: "",
    score: async () => ({ score: 1 }),
  });
  const scorers = {
    to: { scorer: relevancyScorer(judge) },
    kept: { scorer: faithfulnessScorer(judge), context: "The source." },
    short: { scorer: short },
  };
  const workflow = service(() => (
    <Workflow name="judged">
      <Task id="a" output={outputs.note} scorers={scorers}>
        {{ text: "a" }}
      </Task>
    </Workflow>
  ));
  const run = (mocks: Record<string, MockScorer>) => testWorkflow(workflow, { scorers: mocks });
  return { run, generate };
}

describe("mocks of scorers", () => {
  it("answer for the judges of a workflow under test, and keep what they were asked", async () => {
    const { run, generate } = scene();
    const test = run({ relevancy: { score: 0.25, reason: "So so." }, faithfulness: () => ({ score: 0.5 }) });
    expect((await test.run()).status).toBe("finished");
    const told = (await test.scores()).map(({ scorerId, score, reason }) => [scorerId, score, reason]);
    expect(told.toSorted()).toEqual([
      ["faithfulness", 0.5, null],
      ["relevancy", 0.25, "So so."],
      ["short", 1, null],
    ]);
    expect(generate).not.toHaveBeenCalled();
    const [asked] = test.scorerCalls.filter(({ scorerId }) => scorerId === "faithfulness");
    expect(asked).toMatchObject({
      nodeId: "a",
      attempt: 1,
      input: { output: { text: "a" }, context: "The source." },
    });
  });

  it("refuse a mistyped id instead of letting the judge be asked", async () => {
    const { run, generate } = scene();
    const test = run({ faithfulness: { score: 1 }, judge: { score: 1 } });
    await expect(test.run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringMatching(/scorer "relevancy" of task "a" has no mock.*no scorer.*"judge"/),
    });
    expect(generate).not.toHaveBeenCalled();
  });

  it("refuse an id that is nearly that of a scorer which asks no agent", async () => {
    const { run } = scene();
    const test = run({ relevancy: { score: 1 }, faithfulness: { score: 1 }, shrot: { score: 1 } });
    await expect(test.run()).rejects.toMatchObject({ message: expect.stringMatching(/"short".*"shrot"/) });
  });

  it("fail a test whose mock answers what no scorer may, and let one that throws be a failed score", async () => {
    const { run } = scene();
    const wrong = run({ relevancy: () => ({ score: 7 }), faithfulness: { score: 1 } });
    await expect(wrong.run()).rejects.toMatchObject({ message: expect.stringContaining("score 7") });
    const broken = run({
      faithfulness: { score: 1 },
      relevancy: () => {
        throw new Error("no judge");
      },
    });
    expect((await broken.run()).status).toBe("finished");
    const [failed] = (await broken.scores()).filter(({ state }) => state === "failed");
    expect(failed).toMatchObject({ scorerId: "relevancy", error: { code: "SCORER_FAILED" } });
  });

  it("are checked before anything runs", () => {
    expect(() => scene().run({ relevancy: { score: 2 } })).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });
});
