import { components } from "../../../../src/components/components.js";
import type { CheckSuiteProps } from "../../../../src/components/patterns/CheckSuite.js";
import type { RenderedFrame } from "../../../../src/model/graph.js";
import { outputs, task } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, skippedTasks, tasksInside } from "../shared-effects.js";

const passes = () => ({ passed: true });
const fails = () => ({ passed: false });

/** What the verdict makes of the rows of one check that passed and one that did not. */
function verdict(frame: RenderedFrame): unknown {
  const rows = { "checksuite-a": passes(), "checksuite-b": fails() };
  const row = task(frame, "checksuite-verdict").computeFn?.(rows, {} as never);
  return (row as { passed?: boolean } | undefined)?.passed;
}

export const checkSuiteTable = {
  component: components.CheckSuite,
  base: {
    checks: [
      { id: "a", run: passes },
      { id: "b", run: fails },
    ],
    verdictOutput: outputs.decided,
  },
  effects: {
    id: { to: "s", shows: tasksInside, as: ["s-a", "s-b", "s-verdict"] },
    checks: {
      to: { types: { command: "tsc" } },
      shows: tasksInside,
      as: ["checksuite-types", "checksuite-verdict"],
    },
    verdictOutput: {
      to: outputs.verdict,
      shows: field("outputKey", "checksuite-verdict"),
      as: "verdict",
    },
    strategy: { to: "any-pass", shows: verdict, as: true },
    maxConcurrency: { to: 1, shows: field("parallelMaxConcurrency", "checksuite-a"), as: 1 },
    continueOnFail: { to: false, shows: field("continueOnFail", "checksuite-a"), as: false },
    skipIf: { to: true, shows: skippedTasks, as: ["checksuite-a", "checksuite-b", "checksuite-verdict"] },
  } satisfies PropEffects<CheckSuiteProps>,
} satisfies PropTable;
