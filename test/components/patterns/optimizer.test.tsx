import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Loop, Optimizer, service, outputs } = createService({
  text: z.object({ text: z.string() }),
  score: z.object({ score: z.number(), hint: z.string().optional() }),
  loose: z.looseObject({}),
});

const agent = { id: "agent", generate: async () => ({}) };
type Props = Partial<Parameters<typeof Optimizer>[0]>;

function optimized(props: Props = {}) {
  return service(() => (
    <Workflow name="optimized">
      <Optimizer
        generator={agent}
        evaluator={agent}
        generateOutput={outputs.text}
        evaluateOutput={outputs.score}
        maxIterations={4}
        {...(props as object)}
      >
        Write a line.
      </Optimizer>
    </Workflow>
  ));
}

const texts = ["a", "b", "c", "d"].map((text) => ({ text }));

describe("an Optimizer", () => {
  it("shows the generator its last result and the best one, and ends at the target", async () => {
    const run = testWorkflow(optimized({ targetScore: 9 }), {
      agents: {
        "optimizer-generate": texts,
        "optimizer-evaluate": [{ score: 5, hint: "Rhyme." }, { score: 3 }, { score: 9 }],
      },
    });
    expect(await run.run()).toMatchObject({ status: "finished" });
    const prompts = run.calls
      .filter((call) => call.nodeId === "optimizer-generate")
      .map(({ prompt }) => prompt);
    expect(prompts).toHaveLength(3);
    expect(prompts[0]).toBe("Write a line.");
    expect(prompts[1]).toContain("## Your last result, with its evaluation");
    expect(prompts[1]).toContain('"hint": "Rhyme."');
    expect(prompts[1]).not.toContain("## The best result so far");
    expect(prompts[2]).toMatch(/The best result so far[^#]*"a"[^#]*## Your last result[^#]*"b"/s);
    const evaluation = run.calls.find((call) => call.nodeId === "optimizer-evaluate")?.prompt;
    expect(evaluation).toContain("> Write a line.");
    expect(evaluation).toContain("A score of 9 or more is good enough.");
    expect(evaluation).toContain('"text": "a"');
  });

  it("takes every round without a target", async () => {
    const run = testWorkflow(optimized(), {
      agents: { "optimizer-generate": texts, "optimizer-evaluate": { score: 100 } },
    });
    expect(await run.run()).toMatchObject({ status: "finished", exhaustedLoops: ["optimizer"] });
    expect(run.calls).toHaveLength(8);
  });

  it("hands the candidate of the round to a function, also in a loop around it", async () => {
    const seen: string[] = [];
    const evaluator = ({ candidate }: { candidate: { text: string } }) => {
      seen.push(candidate.text);
      return { score: candidate.text === "c" ? 1 : 0 };
    };
    const run = testWorkflow(
      service(() => (
        <Workflow name="twice">
          <Loop id="outer" maxIterations={2}>
            <Optimizer
              generator={agent}
              evaluator={evaluator}
              generateOutput="text"
              evaluateOutput="score"
              targetScore={1}
            />
          </Loop>
        </Workflow>
      )),
      {
        agents: { "optimizer-generate@@outer=0": texts, "optimizer-generate@@outer=1": texts },
      },
    );
    expect((await run.run()).status).toBe("finished");
    expect(seen).toEqual(["a", "b", "c", "a", "b", "c"]);
    expect(run.calls[3]?.prompt).toBe("Do the task that your instructions describe.");
  });

  it("fails when an evaluation has no score", async () => {
    const run = testWorkflow(optimized({ evaluateOutput: outputs.loose as never }), {
      agents: { "optimizer-generate": texts, "optimizer-evaluate": { verdict: "good" } },
    });
    expect(await run.run()).toMatchObject({
      status: "failed",
      error: {
        code: "INVALID_OUTPUT",
        message: expect.stringContaining("score: expected a number"),
      },
    });
  });
});
