import { expect, it } from "vitest";
import { taskName, taskNames } from "../../../src/cli/output/task-name.js";

const rounds = (nodeId: string, ...iterations: number[]) =>
  iterations.map((iteration) => ({ nodeId, iteration }));

it("a task is named by its id, and by its round from the second on", () => {
  expect(rounds("build", 0, 2).map(taskName)).toEqual(["build", "build #2"]);
});

it("rounds of a loop that follow each other are named by the first and the last", () => {
  expect(taskNames([...rounds("plan", 0), ...rounds("step", 0, 1, 2, 3), ...rounds("review", 0)])).toEqual([
    "plan",
    "step … step #3 (4)",
    "review",
  ]);
});

it("two rounds, rounds with a gap, and rounds of several tasks in turn are named one by one", () => {
  expect(taskNames(rounds("step", 4, 5, 7))).toEqual(["step #4", "step #5", "step #7"]);
  const inTurn = [...rounds("write", 0), ...rounds("check", 0), ...rounds("write", 1), ...rounds("check", 1)];
  expect(taskNames(inTurn)).toEqual(["write", "check", "write #1", "check #1"]);
});
