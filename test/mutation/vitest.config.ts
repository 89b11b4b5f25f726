import { defineConfig } from "vitest/config";
import base from "../vitest.config.js";

const { projects: _projects, sequence: _sequence, ...test } = base.test ?? {};

/** The suites beside the code that is mutated, as one project: a mutant runs the tests of them that reach it. */
export default defineConfig({
  ...base,
  test: {
    ...test,
    include: [`test/${process.env["MUTATION_TESTS"] ?? "{engine,operations,scheduler}"}/**/*.test.{ts,tsx}`],
    exclude: slowOnes(),
  },
});

/** They would run for nearly every mutant and try thousands of workflows each, or need a process of their own. */
function slowOnes(): string[] {
  return [
    "test/engine/session/company.test.tsx",
    "test/engine/session/left-processes.test.tsx",
    "test/engine/{blocked-process,stray-errors}.test.*",
    "test/engine/limits/several-processes.test.ts",
    "test/engine/live-and-fresh-frames.test.tsx",
    "test/engine/continuing/idle-chain.test.tsx",
    "test/engine/timer-instants.test.tsx",
    "test/operations/explain/repeat-deaths.test.tsx",
    "test/operations/{find-due-runs,huge-values}.test.tsx",
    "test/operations/host/alone.test.tsx",
  ];
}
