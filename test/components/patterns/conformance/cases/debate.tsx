import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService(
  { argument: z.object({ text: z.string() }), output: z.object({ winner: z.string() }) },
  { dbPath: ":memory:" },
);
const { Debate, outputs } = module;

function rounds(id: string, count: number) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, iteration) => {
      const round = iteration === 0 ? "" : `::${iteration}`;
      return ["proposer", "opponent"].map(
        (side) => [`${id}-${side}${round}`, { text: `${side} ${iteration}` }] as const,
      );
    }).flat(),
  );
}

const verdict = (id: string) => ({ [`${id}-judge`]: { winner: "nobody" } });

/** Members are rounds. */
export const debate: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <Debate
      {...(id !== undefined && { id })}
      proposer={agent(({ iteration }) => ({ text: `proposer ${iteration}` }))}
      opponent={agent(({ iteration }) => {
        if (isFailing && iteration === 1) throw new Error("broken");
        return { text: `opponent ${iteration}` };
      })}
      judge={agent(() => ({ winner: "nobody" }))}
      rounds={size}
      topic="Looms are better than needles."
      argumentOutput={outputs.argument}
      verdictOutput={outputs.output}
      skipIf={skipIf}
    />
  ),
  none: () => ({ refused: "INVALID_INPUT", naming: "rounds" }),
  one: (id) => ({ nodes: { ...rounds(id, 1), ...verdict(id) } }),
  many: (id) => ({ nodes: { ...rounds(id, 3), ...verdict(id) } }),
  failing: (id) => ({ failed: "RETRY_STORM", nodes: { ...rounds(id, 2), [`${id}-opponent::1`]: "failed" } }),
};
