import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createService, runWorkflow, type Scorer } from "../../../src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { callIn } from "../support/in-process.js";

const scorer = (id: string, score: Scorer["score"]): Scorer => ({
  id,
  name: id.toUpperCase(),
  description: "",
  score,
});

/** A folder whose database has two runs, the second one better by a quarter. */
async function twoRuns(): Promise<string> {
  const folder = temporaryFolder();
  const { Workflow, Loop, Task, service, outputs } = createService(
    { input: z.object({ base: z.number() }), note: z.object({ text: z.string() }) },
    { dbPath: join(folder, "service.db") },
  );
  const workflow = service((ctx) => {
    const { base } = ctx.input;
    const style = scorer("style", async () => ({ score: base, reason: "As\nit is." }));
    const broken = scorer("broken", () => Promise.reject(new Error("no model")));
    return (
      <Workflow name="scored">
        <Loop id="l" until={ctx.iterationCount("note", "a") >= 2} maxIterations={3}>
          <Task
            id="a"
            output={outputs.note}
            scorers={{ style: { scorer: style }, broken: { scorer: broken } }}
          >
            {{ text: "a" }}
          </Task>
        </Loop>
      </Workflow>
    );
  });
  await runWorkflow(workflow, { runId: "old", input: { base: 0.5 } });
  await runWorkflow(workflow, { runId: "new", input: { base: 0.75 } });
  return folder;
}

describe("treadle scores", () => {
  it("shows every score of a run and what they come to, filtered, and as data", async () => {
    const folder = await twoRuns();
    const { stdout, code } = await callIn(folder, ["scores", "old"]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^TASK +SCORER +SCORE +REASON$/);
    expect(stdout).toMatch(/^a +STYLE +0\.500 +As it is\.$/m);
    expect(stdout).toMatch(/^a #1 +BROKEN +failed +.*SCORER_FAILED.*no model/m);
    expect(stdout).toMatch(/^STYLE +2 +0\.500 +0\.500 +0\.500 +0\.500 +0\.000$/m);
    const { stdout: failed } = await callIn(folder, [
      "scores",
      "old",
      "--state",
      "failed",
      "--iteration",
      "1",
      "--json",
    ]);
    expect(JSON.parse(failed)).toMatchObject({
      runId: "old",
      scores: [{ nodeId: "a", iteration: 1, scorerId: "broken", state: "failed", score: null }],
      isCut: false,
    });
    const { stdout: cut } = await callIn(folder, ["scores", "old", "--limit", "1"]);
    expect(cut).toContain("There are more: --limit <n> shows them.");
    const { stdout: none } = await callIn(folder, ["scores", "old", "--node", "x"]);
    expect(none).toBe("There are no such scores.\n");
  });

  it("compare says by how much each scorer likes one run better than the other", async () => {
    const folder = await twoRuns();
    const { stdout } = await callIn(folder, ["scores", "compare", "old", "new"]);
    expect(stdout).toMatch(/^SCORER +old +new +DELTA$/m);
    expect(stdout).toMatch(/^STYLE +0\.500 \(2\) +0\.750 \(2\) +\+0\.250$/m);
    const { stdout: json } = await callIn(folder, ["scores", "compare", "new", "old", "--json"]);
    expect(JSON.parse(json)).toMatchObject({
      runs: ["new", "old"],
      scorers: [{ scorerId: "style", before: { mean: 0.75 }, after: { mean: 0.5 }, delta: -0.25 }],
    });
  });

  it.each([
    [["scores", "compare", "old"], "takes two runs"],
    [["scores", "old", "new"], "scores compare"],
    [["scores", "compare", "old", "new", "--state", "failed"], "--state has no meaning"],
  ])("%j is a mistake that says what is meant", async (argv, said) => {
    const { code, stderr } = await callIn(temporaryFolder(), argv);
    expect([code, stderr]).toEqual([4, expect.stringContaining(said)]);
  });
});
