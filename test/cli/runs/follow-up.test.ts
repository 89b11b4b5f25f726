import { expect, it } from "vitest";
import { createColors } from "../../../src/cli/output/styles.js";
import { followUp } from "../../../src/cli/runs/follow-up.js";

it("what becomes of something sent to a run that nobody drives: a waiting process takes it up, or a command", () => {
  const { json, text } = followUp(false, { runId: "h4", options: {} });
  expect(json).toEqual({ driven: false, resume: "treadle up --resume h4" });
  const said = text(createColors(false));
  for (const who of ["--wait", "--detach", "--hot", "gateway", "supervise"]) expect(said).toContain(who);
  expect(said).toMatch(/takes it up by itself; otherwise: treadle up --resume h4$/);
});
