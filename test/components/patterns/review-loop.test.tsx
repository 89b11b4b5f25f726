import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Sequence, Loop, ReviewLoop, Task, service, outputs } = createService({
  text: z.object({ text: z.string() }),
  review: z.object({ approved: z.boolean(), comment: z.string() }),
  loose: z.looseObject({}),
  output: z.object({ text: z.string() }),
});

const agent = { id: "agent", generate: async () => ({}) };
const no = (comment: string) => ({ approved: false, comment });
const yes = { approved: true, comment: "Good." };

function reviewed(props: Partial<Parameters<typeof ReviewLoop>[0]> = {}) {
  return service((ctx) => (
    <Workflow name="reviewed">
      <Sequence>
        <ReviewLoop
          producer={agent}
          reviewer={agent}
          produceOutput={outputs.text}
          reviewOutput={outputs.review}
          {...props}
        >
          Write a line about looms.
        </ReviewLoop>
        <Task id="end" output={outputs.output}>
          {() => ({ text: ctx.latest("text", `${props.id ?? "review-loop"}-produce`)?.text ?? "" })}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

describe("a ReviewLoop", () => {
  it("repeats until the reviewer approves, and tells each side what the other said", async () => {
    const run = testWorkflow(reviewed(), {
      agents: {
        "review-loop-produce": [{ text: "one" }, { text: "two" }],
        "review-loop-review": [no("Too short."), yes],
      },
    });
    expect((await run.run()).output).toEqual({ text: "two" });
    const prompts = run.calls.map(({ prompt }) => prompt);
    expect(prompts).toHaveLength(4);
    expect(prompts[0]).toBe("Write a line about looms.");
    expect(prompts[1]).toContain("> Write a line about looms.");
    expect(prompts[1]).toContain('## Result\n\n```json\n{\n  "text": "one"\n}\n```');
    expect(prompts[2]).toContain('## Your previous result\n\n```json\n{\n  "text": "one"\n}\n```');
    expect(prompts[2]).toContain('"comment": "Too short."');
    expect(prompts[3]).toContain('"text": "two"');
  });

  it("continues with the last row after maxIterations, or fails", async () => {
    const agents = { "review-loop-produce": { text: "x" }, "review-loop-review": no("No.") };
    const quiet = testWorkflow(reviewed({ maxIterations: 2 }), { agents });
    await quiet.run();
    expect(quiet.result).toMatchObject({ status: "finished", exhaustedLoops: ["review-loop"] });
    const loud = testWorkflow(reviewed({ maxIterations: 2, onMaxReached: "fail" }), { agents });
    await loud.run();
    expect(loud.result).toMatchObject({ status: "failed", error: { code: "RALPH_MAX_REACHED" } });
  });

  it("asks all of several reviewers, and ends when all approve", async () => {
    const run = testWorkflow(reviewed({ id: "r", reviewer: [agent, [agent, agent]] }), {
      agents: {
        "r-produce": [{ text: "one" }, { text: "two" }],
        "r-review-0": yes,
        "r-review-1": [no("Not legal."), yes],
      },
    });
    expect((await run.run()).output).toEqual({ text: "two" });
    expect(run.calls.map(({ nodeId }) => nodeId)).toEqual([
      "r-produce",
      "r-review-0",
      "r-review-1",
      "r-produce",
      "r-review-0",
      "r-review-1",
    ]);
    expect(run.calls[3]?.prompt).toContain("## Review 2 of it");
  });

  it("starts anew in each iteration of a loop around it", async () => {
    const run = testWorkflow(
      service(() => (
        <Workflow name="twice">
          <Loop id="outer" maxIterations={2}>
            <ReviewLoop
              producer={agent}
              reviewer={agent}
              produceOutput="text"
              reviewOutput="review"
              maxIterations={3}
            >
              Write.
            </ReviewLoop>
          </Loop>
        </Workflow>
      )),
      {
        agents: {
          "review-loop-produce@@outer=0": { text: "a" },
          "review-loop-review@@outer=0": [no("No."), yes],
          "review-loop-produce@@outer=1": { text: "b" },
          "review-loop-review@@outer=1": [no("No."), yes],
        },
      },
    );
    expect((await run.run()).status).toBe("finished");
    expect(run.calls).toHaveLength(8);
    expect(run.calls[4]?.prompt).toBe("Write.");
  });

  it("fails clearly when a review does not say whether it approves", async () => {
    const run = testWorkflow(reviewed({ reviewOutput: outputs.loose as never }), {
      agents: { "review-loop-produce": { text: "x" }, "review-loop-review": { verdict: "fine" } },
    });
    await run.run();
    expect(run.result).toMatchObject({
      status: "failed",
      error: {
        code: "INVALID_OUTPUT",
        message: expect.stringContaining("approved: expected true or false"),
      },
    });
  });
});
