import { expect, it } from "vitest";
import { Workspace } from "../support/treadle.js";
import { GATED } from "../support/workflows.js";

const BOTH = ['"Ship it to Mars?"', '"Ship it?"'];

/** A run that asks something else than what was approved. */
async function changedUnderneath() {
  const workspace = new Workspace({ "w.tsx": GATED });
  await workspace.treadle(["up", "w.tsx", "--run-id", "g"]);
  await workspace.treadle(["approve", "g", "--yes", "--by", "ada"]);
  workspace.write("w.tsx", GATED.replace("Ship it?", "Ship it to Mars?"));
  const up = await workspace.treadle(["up", "--resume", "g", "--accept-workflow-change"]);
  expect(up.code, up.stderr).toBe(3);
  return { workspace, up };
}

it("the person who approved learns from up, why, inspect and inbox that it did not count", async () => {
  const { workspace, up } = await changedUnderneath();
  for (const text of ["by ada was refused", ...BOTH]) expect(up.stderr).toContain(text);
  for (const argv of [["why", "g"], ["inspect", "g"], ["inbox"]]) {
    const { stdout } = await workspace.treadle(argv);
    for (const text of ["The approval by ada was refused", ...BOTH]) expect(stdout).toContain(text);
  }
  const item = { refused: [{ shown: { title: "Ship it?" }, asked: { title: "Ship it to Mars?" } }] };
  expect((await workspace.json(["inbox"])).document).toMatchObject({ items: [item] });
  expect((await workspace.json(["why", "g"])).document).toMatchObject({ blockers: [item] });
});

it("the scope * of a caller stands for nothing, and nothing is decided", async () => {
  const workspace = new Workspace({
    "w.tsx": GATED.replace('<Approval id="ship"', '<Approval id="ship" allowedScopes={["release"]}'),
  });
  await workspace.treadle(["up", "w.tsx", "--run-id", "g"]);
  for (const command of ["approve", "deny"]) {
    const { code, document } = await workspace.json([command, "g", "--yes", "--scope", "*"]);
    expect(code).toBe(4);
    expect(document).toMatchObject({ error: { code: "CLI_USAGE", details: { option: "--scope" } } });
  }
  expect((await workspace.json(["why", "g"])).document).toMatchObject({ blockers: [{ kind: "approval" }] });
});
