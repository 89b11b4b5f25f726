import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService({ step: z.object({ text: z.string() }) }, { dbPath: ":memory:" });
const { Runbook, outputs } = module;

/** Runbooks whose second step is not approved, by id. */
const denied = new Set<string>();

/** Members are steps, of which the second needs an approval. */
export const runbook: CompositeCase = {
  module,
  mount({ id, size, isFailing, skipIf, agent }) {
    if (isFailing) denied.add(`${id}-s1-approval`);
    else denied.delete(`${id}-s1-approval`);
    return (
      <Runbook
        {...(id !== undefined && { id })}
        steps={Array.from({ length: size }, (_, n) => ({
          id: `s${n}`,
          risk: n === 1 ? ("critical" as const) : ("safe" as const),
        }))}
        defaultAgent={agent(({ nodeId }) => ({ text: nodeId }))}
        stepOutput={outputs.step}
        skipIf={skipIf}
      />
    );
  },
  answer: (nodeId) => ({ isDenied: denied.has(nodeId) }),
  none: () => ({ refused: "INVALID_INPUT", naming: "steps" }),
  one: (id) => ({ nodes: { [`${id}-s0`]: { text: `${id}-s0` } } }),
  many: (id) => ({
    nodes: {
      [`${id}-s0`]: { text: `${id}-s0` },
      [`${id}-s1-approval`]: { approved: true, decidedBy: "operator" },
      [`${id}-s1`]: { text: `${id}-s1` },
      [`${id}-s2`]: { text: `${id}-s2` },
    },
  }),
  failing: (id) => ({
    failed: "APPROVAL_DENIED",
    nodes: { [`${id}-s0`]: { text: `${id}-s0` }, [`${id}-s1-approval`]: "failed" },
  }),
};
