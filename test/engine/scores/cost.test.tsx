import { expect, it, vi } from "vitest";
import { z } from "zod";
import type { RunCommit } from "../../../src/store/contract.js";
import { openScene } from "../../support/engine/scene.js";
import { scorer } from "./support.js";

const TASKS = 30;

/** The commits of a sequence of tasks, with or without a scorer each. */
async function commitsOf(isScored: boolean): Promise<RunCommit[]> {
  const scene = openScene({ note: z.object({ text: z.string() }) });
  const { Workflow, Task, service, outputs } = scene.api;
  const cheap = { cheap: { scorer: scorer(async () => ({ score: 1 })) } };
  const workflow = service(() => (
    <Workflow name="w">
      {Array.from({ length: TASKS }, (_, index) => (
        <Task key={index} id={`t${index}`} output={outputs.note} {...(isScored && { scorers: cheap })}>
          {async () => ({ text: "a" })}
        </Task>
      ))}
    </Workflow>
  ));
  const commit = vi.spyOn(scene.store, "commit");
  await scene.run(workflow);
  return commit.mock.calls.map(([each]) => each);
}

it("cheap scorers cost their own rows and no commits: each score goes with the next task's commit", async () => {
  const [scored, plain] = [await commitsOf(true), await commitsOf(false)];
  expect(scored.length).toBeLessThanOrEqual(plain.length + 1);
  expect(scored.flatMap(({ sampledScores = [] }) => sampledScores)).toHaveLength(TASKS);
  expect(scored.flatMap(({ scoreEnds = [] }) => scoreEnds)).toHaveLength(TASKS);
});

it("a run without scorers writes nothing about scores", async () => {
  for (const commit of await commitsOf(false)) {
    expect(commit).not.toHaveProperty("sampledScores");
    expect(commit).not.toHaveProperty("scoreEnds");
  }
});
