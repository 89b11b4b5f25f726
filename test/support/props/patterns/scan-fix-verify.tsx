import { components } from "../../../../src/components/components.js";
import type { ScanFixVerifyProps } from "../../../../src/components/patterns/ScanFixVerify.js";
import { outputs, type Rig } from "../../render-workflow.js";
import type { PropEffects, PropTable } from "../prop-table.js";
import { field, planOf, skippedTasks, tasksInside } from "../shared-effects.js";

const agent = { id: "one", generate: async () => "" };
const other = { id: "two", generate: async () => "" };
const scanned = (flow: Rig) => flow.setRow("sfv-scan", { issues: ["a"] });

export const scanFixVerifyTable = {
  component: components.ScanFixVerify,
  base: {
    scanner: agent,
    fixer: agent,
    verifier: agent,
    scanOutput: outputs.decided,
    fixOutput: outputs.note,
    verifyOutput: outputs.decided,
    reportOutput: outputs.note,
    children: "Scan.",
  },
  effects: {
    id: { to: "s", shows: tasksInside, as: ["s-scan", "s-report"] },
    scanner: { to: [other, agent], shows: field("agent", "sfv-scan"), as: [other, agent] },
    fixer: { to: [other, agent], after: scanned, shows: field("agent", "sfv-fix-0"), as: other },
    verifier: { to: [other, agent], shows: field("agent", "sfv-report"), as: [other, agent] },
    scanOutput: {
      to: outputs.decidedElsewhere,
      shows: field("outputKey", "sfv-scan"),
      as: "decidedElsewhere",
    },
    fixOutput: { to: outputs.output, after: scanned, shows: field("outputKey", "sfv-fix-0"), as: "output" },
    verifyOutput: {
      to: outputs.decidedElsewhere,
      after: scanned,
      shows: field("outputKey", "sfv-verify"),
      as: "decidedElsewhere",
    },
    reportOutput: { to: outputs.output, shows: field("outputKey", "sfv-report"), as: "output" },
    maxConcurrency: {
      to: 1,
      after: (flow) => flow.setRow("sfv-scan", { issues: ["a", "b"] }),
      shows: field("parallelMaxConcurrency", "sfv-fix-0"),
      as: 1,
    },
    maxRetries: { to: 7, shows: ({ plan }) => planOf("loop", plan)?.maxIterations, as: 7 },
    skipIf: { to: true, shows: skippedTasks, as: ["sfv-scan", "sfv-report"] },
    children: { to: "Look.", shows: field("prompt", "sfv-scan"), as: "Look." },
  } satisfies PropEffects<ScanFixVerifyProps>,
} satisfies PropTable;
