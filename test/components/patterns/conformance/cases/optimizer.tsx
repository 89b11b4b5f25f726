import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService(
  { text: z.object({ text: z.string() }), score: z.object({ score: z.number() }) },
  { dbPath: ":memory:" },
);
const { Optimizer, outputs } = module;

/** So many rounds below the target, and one that reaches it. */
function rounds(id: string, before: number) {
  return Object.fromEntries(
    Array.from({ length: before + 1 }, (_, iteration) => {
      const round = iteration === 0 ? "" : `::${iteration}`;
      return [
        [`${id}-generate${round}`, { text: `${iteration}` }],
        [`${id}-evaluate${round}`, { score: iteration }],
      ] as const;
    }).flat(),
  );
}

/** Members are the rounds before the one that is good enough. */
export const optimizer: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <Optimizer
      {...(id !== undefined && { id })}
      generator={agent(({ iteration }) => ({ text: `${iteration}` }))}
      evaluator={({ candidate }) => ({ score: Number(candidate.text) })}
      generateOutput={outputs.text}
      evaluateOutput={outputs.score}
      targetScore={isFailing ? 100 : size}
      maxIterations={4}
      onMaxReached="fail"
      skipIf={skipIf}
    >
      Write.
    </Optimizer>
  ),
  none: (id) => ({ nodes: rounds(id, 0) }),
  one: (id) => ({ nodes: rounds(id, 1) }),
  many: (id) => ({ nodes: rounds(id, 3) }),
  failing: (id) => ({ failed: "RALPH_MAX_REACHED", nodes: rounds(id, 3) }),
};
