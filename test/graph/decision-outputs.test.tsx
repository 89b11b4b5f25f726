import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { createService } from "../../src/index.js";
import { approvalDecision, approvalRanking, approvalSelection } from "../../src/model/approval-rows.js";
import { openScene } from "../support/engine/scene.js";

type Mode = "approve" | "select" | "rank";

async function asked(mode: Mode, row: z.ZodObject) {
  const scene = openScene({ row });
  const { Workflow, Approval, outputs, service } = scene.api as ReturnType<
    typeof createService<{ row: z.ZodObject }>
  >;
  const options = [{ key: "a", label: "A" }];
  return scene.drive(
    service(() => (
      <Workflow name="asking">
        <Approval id="ask" mode={mode} options={options} output={outputs.row} request={{ title: "?" }} />
      </Workflow>
    )),
  );
}

const { approved, note } = approvalDecision.shape;

describe("an output that cannot hold the decision is refused in the first frame", () => {
  it.each<[string, Mode, z.ZodObject, string]>([
    ["without the decision", "approve", z.object({ note }), "lacks the field approved (boolean)"],
    ["of another mode", "select", approvalDecision, "lacks the field selected (string)"],
    ["of one choice for a ranking", "rank", approvalSelection, "lacks the field ranked (string[])"],
    ["with a wrong type", "rank", z.object({ ranked: z.array(z.number()) }), "field ranked"],
    [
      "that takes only a part of it",
      "select",
      z.strictObject({ selected: z.string() }),
      "lacks the field notes",
    ],
    ["with a text that is never absent", "approve", z.object({ approved, note: z.string() }), "field note"],
    [
      "with a field of its own",
      "approve",
      z.object({ approved, amount: z.number() }),
      "needs the field amount",
    ],
  ])("%s", async (_what, mode, row, problem) => {
    await expect(asked(mode, row)).rejects.toMatchObject({
      code: "APPROVAL_OUTPUT_MISFIT",
      summary: expect.stringContaining(problem),
      details: { id: "ask" },
    });
  });
});

describe("an output that can hold the decision is taken", () => {
  it.each<[string, Mode, z.ZodObject]>([
    ["the whole row", "approve", approvalDecision],
    ["a part of it", "approve", z.object({ approved })],
    ["with a field that may be absent", "approve", z.object({ approved, amount: z.number().optional() })],
    ["with some of the keys", "select", z.object({ selected: z.enum(["a", ""]) })],
    ["that takes whatever comes", "select", z.looseObject({})],
    ["the whole ranking", "rank", approvalRanking],
  ])("%s", async (_what, mode, row) => {
    expect(await asked(mode, row)).toMatchObject({ status: "waiting-approval" });
  });
});

it("an asynchronous rule that rejects an example text is no error", async () => {
  const stray: unknown[] = [];
  const hear = (reason: unknown) => stray.push(reason);
  process.on("unhandledRejection", hear);
  onTestFinished(() => void process.off("unhandledRejection", hear));
  const unknown = async (): Promise<boolean> => {
    throw new Error("nobody can be asked");
  };
  const row = z.object({ approved, note: z.string().refine(unknown).nullable() });
  expect(await asked("approve", row)).toMatchObject({ status: "waiting-approval" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(stray).toEqual([]);
});
