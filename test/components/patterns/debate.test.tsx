import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Loop, Debate, service, outputs } = createService({
  argument: z.object({ text: z.string() }),
  verdict: z.object({ winner: z.string() }),
});

const agent = { id: "agent", generate: async () => ({}) };
const said = (side: string) => [1, 2, 3].map((round) => ({ text: `${side} ${round}` }));
const debate = (rounds?: number) => (
  <Debate
    proposer={agent}
    opponent={agent}
    judge={agent}
    topic="Looms."
    argumentOutput={outputs.argument}
    verdictOutput={outputs.verdict}
    {...(rounds !== undefined && { rounds })}
  />
);

/** What has been said that a prompt shows, in its order. */
const heard = (prompt = "") => [...prompt.matchAll(/"text": "(\w+ \d)"/g)].map(([, text]) => text);

describe("a Debate", () => {
  it("lets each side see all earlier arguments, and the judge all of them", async () => {
    const run = testWorkflow(
      service(() => <Workflow name="w">{debate(3)}</Workflow>),
      {
        agents: {
          "debate-proposer": said("for"),
          "debate-opponent": said("against"),
          "debate-judge": { winner: "for" },
        },
      },
    );
    expect(await run.run()).toMatchObject({ status: "finished" });
    expect(run.result.exhaustedLoops ?? []).toEqual([]);
    const all = ["for 1", "against 1", "for 2", "against 2", "for 3", "against 3"];
    for (const side of ["proposer", "opponent"]) {
      const prompts = run.calls
        .filter((call) => call.nodeId === `debate-${side}`)
        .map(({ prompt }) => prompt);
      expect(prompts.map(heard)).toEqual([[], all.slice(0, 2), all.slice(0, 4)]);
    }
    expect(heard(run.prompt("debate-judge"))).toEqual(all);
    expect(run.prompt("debate-judge")).toContain("## Round 3, against");
  });

  it("takes two rounds, and in a loop around it begins again without what was said before", async () => {
    const run = testWorkflow(
      service(() => (
        <Workflow name="w">
          <Loop id="outer" maxIterations={2}>
            {debate()}
          </Loop>
        </Workflow>
      )),
      {
        agents: {
          "debate-proposer@@outer=0": said("for"),
          "debate-opponent@@outer=0": said("against"),
          "debate-proposer@@outer=1": said("pro"),
          "debate-opponent@@outer=1": said("contra"),
          "debate-judge": { winner: "for" },
        },
      },
    );
    expect((await run.run()).status).toBe("finished");
    const judged = run.calls
      .filter((call) => call.nodeId === "debate-judge")
      .map(({ prompt }) => heard(prompt));
    expect(judged).toEqual([
      ["for 1", "against 1", "for 2", "against 2"],
      ["pro 1", "contra 1", "pro 2", "contra 2"],
    ]);
    const opening = run.calls.find((call) => call.nodeId === "debate-proposer@@outer=1");
    expect(heard(opening?.prompt)).toEqual([]);
  });
});
