import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService(
  {
    verdict: z.object({
      passed: z.boolean(),
      passCount: z.int(),
      total: z.int(),
      results: z.record(z.string(), z.boolean()),
    }),
  },
  { dbPath: ":memory:" },
);
const { CheckSuite, outputs } = module;

/** Members are checks, of which the second does not pass. */
export const checkSuite: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <CheckSuite
      {...(id !== undefined && { id })}
      checks={Array.from({ length: size }, (_, n) => ({
        id: `c${n}`,
        agent: agent(({ nodeId }) => {
          if (isFailing && n === 2) throw new TypeError("as scripted");
          return { passed: n !== 1, reason: nodeId };
        }),
      }))}
      verdictOutput={outputs.verdict}
      strategy="majority"
      skipIf={skipIf}
    />
  ),
  none: () => ({ refused: "INVALID_INPUT", naming: "checks" }),
  one: (id) => ({
    nodes: {
      [`${id}-c0`]: { passed: true, reason: `${id}-c0` },
      [`${id}-verdict`]: { passed: true, passCount: 1, total: 1, results: { c0: true } },
    },
  }),
  many: (id) => ({
    nodes: {
      [`${id}-c0`]: { passed: true, reason: `${id}-c0` },
      [`${id}-c1`]: { passed: false, reason: `${id}-c1` },
      [`${id}-c2`]: { passed: true, reason: `${id}-c2` },
      [`${id}-verdict`]: {
        passed: true,
        passCount: 2,
        total: 3,
        results: { c0: true, c1: false, c2: true },
      },
    },
  }),
  failing: (id) => ({
    nodes: {
      [`${id}-c2`]: "failed",
      [`${id}-verdict`]: {
        passed: false,
        passCount: 1,
        total: 3,
        results: { c0: true, c1: false, c2: false },
      },
    },
  }),
};
