import { createService, type PanelTally } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Panel, service, outputs } = createService({
  opinion: z.object({ vote: z.string() }),
  review: z.object({ approved: z.boolean() }),
  loose: z.looseObject({}),
  output: z.object({ text: z.string() }),
});

const agent = { id: "agent", generate: async () => ({}) };
const broken = () => {
  throw Object.assign(new Error("gone"), { retryable: false });
};
type Props = Partial<Parameters<typeof Panel>[0]>;

function panel(props: Props = {}) {
  return service(() => (
    <Workflow name="panel">
      <Panel
        panelists={[agent, agent, agent]}
        moderator={agent}
        panelistOutput={outputs.opinion}
        moderatorOutput={outputs.output}
        {...(props as object)}
      >
        Shall we?
      </Panel>
    </Workflow>
  ));
}

const votes = (...each: (string | boolean | (() => never))[]) => ({
  ...Object.fromEntries(
    each.map((vote, index) => [
      `panel-panelist-${index}`,
      typeof vote === "function" ? vote : typeof vote === "string" ? { vote } : { approved: vote },
    ]),
  ),
  "panel-moderator": { text: "done" },
});

async function tallyOf(props: Props, agents: ReturnType<typeof votes>) {
  const run = testWorkflow(panel(props), { agents: agents as never });
  const result = await run.run();
  const tally = (await run.tasks()).find((task) => task.nodeId === "panel-tally");
  return { run, result, tally: tally?.output as PanelTally | undefined };
}

describe("a Panel", () => {
  it("hands every answer and the tally to the moderator, who only words them", async () => {
    const { run, result } = await tallyOf({ strategy: "vote" }, votes("yes", "no", "yes"));
    expect(result.output).toEqual({ text: "done" });
    const prompt = run.prompt("panel-moderator") ?? "";
    expect(prompt).toContain("> Shall we?");
    expect(prompt).toContain('## Answer of panelist-1\n\n```json\n{\n  "vote": "no"\n}\n```');
    expect(prompt).toContain('"decision": "yes"');
  });

  it("needs more than half of all panelists for a vote, those who failed among them", async () => {
    const { tally } = await tallyOf({ strategy: "vote" }, votes("yes", broken, "no"));
    expect(tally).toMatchObject({ minAgree: 2, missing: ["panelist-1"], agreed: false, decision: null });
    const lower = await tallyOf({ strategy: "vote", minAgree: 1 }, votes("yes", broken, broken));
    expect(lower.tally).toMatchObject({ minAgree: 1, agreed: true, decision: "yes" });
  });

  it("needs all for a consensus, or minAgree of them", async () => {
    const all = await tallyOf({ strategy: "consensus" }, votes("yes", "yes", "no"));
    expect(all.tally).toMatchObject({ minAgree: 3, agreed: false, decision: null });
    const most = await tallyOf({ strategy: "consensus", minAgree: 2 }, votes("yes", "yes", "no"));
    expect(most.tally).toMatchObject({ agreed: true, decision: "yes" });
  });

  it("counts approvals where rows have no vote", async () => {
    const props: Props = { strategy: "vote", panelistOutput: outputs.review as never };
    const { tally } = await tallyOf(props, votes(false, false, true));
    expect(tally).toMatchObject({ agreed: true, decision: false });
  });

  it("synthesizes as long as enough have answered", async () => {
    const { run, tally } = await tallyOf({}, votes("a", broken, broken));
    expect(tally).toMatchObject({ answered: ["panelist-0"], votes: [], agreed: true, decision: null });
    expect(run.prompt("panel-moderator")).toContain('"panelist-1": "gone"');
    const { result } = await tallyOf({ minAgree: 2 }, votes("a", broken, broken));
    expect(result).toMatchObject({
      status: "failed",
      error: {
        code: "DEP_NOT_SATISFIED",
        message: expect.stringContaining(
          "needs answers of 2 of its 3 panelists and has 1: panelist-1 failed: gone; panelist-2 failed: gone.",
        ),
      },
    });
  });

  it("fails without any vote", async () => {
    const { result } = await tallyOf({ strategy: "vote" }, votes(broken, broken, broken));
    expect(result).toMatchObject({ status: "failed", error: { code: "DEP_NOT_SATISFIED" } });
  });

  it("counts a panelist whose vote cannot be read as one that failed", async () => {
    const props: Props = { strategy: "vote", panelistOutput: outputs.loose as never };
    const { result, tally } = await tallyOf(
      props,
      votes("yes", (() => ({ opinion: "perhaps" })) as never, "no"),
    );
    expect(result.status).toBe("finished");
    expect(tally).toMatchObject({ missing: ["panelist-1"] });
  });

  it("cannot need more votes than it has panelists", async () => {
    await expect(tallyOf({ minAgree: 4 }, votes("a", "a", "a"))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringContaining("has minAgree={4}; expected at most the number of panelists, 3."),
    });
  });
});
