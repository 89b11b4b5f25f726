import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Sequence, EscalationChain, Task, service, outputs, useCtx } = createService({
  answer: z.looseObject({}),
  escalation: z.object({ escalated: z.boolean(), fromLevel: z.int(), toLevel: z.int() }),
  narrow: z.object({ escalated: z.boolean() }),
  blind: z.object({ fromLevel: z.int() }),
  output: z.object({ approved: z.boolean().nullable(), by: z.string().nullable() }),
});

const agent = { id: "agent", generate: async () => ({}) };
const broken = () => {
  throw Object.assign(new Error("gone"), { retryable: false });
};
const level = { agent, output: outputs.answer };
type Props = Partial<Parameters<typeof EscalationChain>[0]>;

function chain(props: Props = {}) {
  return service(() => (
    <Workflow name="chain">
      <Sequence>
        <EscalationChain
          levels={[level, { ...level, label: "experts" }]}
          escalationOutput={outputs.escalation}
          {...(props as object)}
        >
          {props.children ?? "Settle it."}
        </EscalationChain>
        {props.humanFallback === true ? (
          <Task id="end" output={outputs.output} needs={{ decision: "escalation-human-fallback" }}>
            {({ decision }) => {
              const { approved, decidedBy } = decision as { approved: boolean; decidedBy: string | null };
              return { approved, by: decidedBy };
            }}
          </Task>
        ) : null}
      </Sequence>
    </Workflow>
  ));
}

async function ran(props: Props, answers: readonly unknown[]) {
  const agents = Object.fromEntries(answers.map((answer, index) => [`escalation-level-${index}`, answer]));
  const run = testWorkflow(chain(props), { agents: agents as never });
  const result = await run.run();
  const rows = Object.fromEntries((await run.tasks()).map(({ nodeId, output }) => [nodeId, output]));
  return { run, result, rows };
}

const check = (fromLevel: number, escalated: boolean) => ({
  escalated,
  fromLevel,
  toLevel: escalated ? fromLevel + 1 : fromLevel,
});

describe("an EscalationChain", () => {
  it.each([
    ["a row", { text: "done" }, false],
    ["a row with ok", { ok: true, error: null, failed: false }, false],
    ["a row with error: false", { error: false }, false],
    ["a row with an error", { error: "no" }, true],
    ["a row that says failed", { failed: true }, true],
    ["a row that is not ok", { ok: false }, true],
    ["a failure", broken, true],
  ])("by default takes %s further, or not", async (_what, answer, escalated) => {
    const { rows, result } = await ran({}, [answer, { text: "settled" }]);
    expect(result.status).toBe("finished");
    expect(rows["escalation-check-0"]).toEqual(check(0, escalated));
    expect("escalation-level-1" in rows).toBe(escalated);
    expect(rows["escalation-check-1"]).toEqual(escalated ? check(1, false) : undefined);
  });

  it("asks escalateIf of the row, and tells the next level what was said", async () => {
    const levels = [
      { ...level, label: "the apprentice", escalateIf: (row: object) => "doubt" in row },
      level,
    ];
    const { run, rows } = await ran({ levels: levels as never }, [{ doubt: "much" }, { text: "settled" }]);
    expect(rows["escalation-check-0"]).toEqual(check(0, true));
    expect(run.prompt("escalation-level-0")).toBe("Settle it.");
    expect(run.prompt("escalation-level-1")).toContain(
      '## the apprentice has not settled it\n\n```json\n{\n  "doubt": "much"\n}\n```',
    );
  });

  it("tells the next level, and a person who is asked nothing else, why a level has failed", async () => {
    const { run } = await ran({ humanFallback: true }, [broken, broken]);
    expect(run.prompt("escalation-level-1")).toContain(
      '## level 0 has not settled it\n\n```json\n"it failed: gone"',
    );
    const asked = (await run.events()).find(({ event }) => event.type === "ApprovalRequested");
    expect(asked?.event).toMatchObject({
      request: { metadata: { failed: { "level 0": "gone", experts: "gone" } } },
    });
  });

  it("lets what it is asked read the run on every level", async () => {
    const Question = () => <p>Settle run {useCtx().runId}.</p>;
    const { run, result } = await ran({ children: <Question /> }, [broken, { text: "settled" }]);
    expect(result.status).toBe("finished");
    expect(run.prompt("escalation-level-1")).toContain(`Settle run ${run.runId}.`);
  });

  it("fails with the last level when no person follows it, and says so when only its row escalates", async () => {
    const failed = await ran({}, [broken, broken]);
    expect(failed.result).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("gone") },
    });
    const unsettled = await ran({}, [{ ok: false }, { ok: false }]);
    expect(unsettled.result.status).toBe("finished");
    expect(unsettled.rows["escalation-check-1"]).toEqual(check(1, true));
  });

  it("asks a person when no level has settled it, and continues with a denial as with an approval", async () => {
    const humanRequest = { title: "Will you?", summary: "They could not." };
    const { run, result } = await ran({ humanFallback: true, humanRequest }, [broken, broken]);
    expect(result.status).toBe("waiting-approval");
    await run.deny("escalation-human-fallback", { decidedBy: "ada" });
    expect(run.result).toMatchObject({ status: "finished", output: { approved: false, by: "ada" } });
  });

  it("asks no person when a level has settled it", async () => {
    const { result, rows } = await ran({ humanRequest: { title: "Will you?" } }, [{ ok: true }]);
    expect(result.status).toBe("finished");
    expect("escalation-human-fallback" in rows).toBe(false);
  });

  it("keeps the part of the check that its output has, and refuses one without escalated", async () => {
    const narrow = await ran({ escalationOutput: outputs.narrow as never }, [{ ok: true }]);
    expect(narrow.rows["escalation-check-0"]).toEqual({ escalated: false });
    const blind = await ran({ escalationOutput: outputs.blind as never }, [{ ok: true }]);
    expect(blind.result).toMatchObject({
      status: "failed",
      error: {
        code: "INVALID_OUTPUT",
        message: expect.stringContaining("escalated: expected true or false"),
      },
    });
  });

  it("refuses an escalateIf that does not answer at once", async () => {
    const levels = [{ ...level, escalateIf: async () => false }, level];
    const { result } = await ran({ levels: levels as never }, [{ ok: true }]);
    expect(result).toMatchObject({
      status: "failed",
      error: {
        code: "INVALID_INPUT",
        message: expect.stringMatching(/<EscalationChain>.*levels\[0\]\.escalateIf/),
      },
    });
  });
});
