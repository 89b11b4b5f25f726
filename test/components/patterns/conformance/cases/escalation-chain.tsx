import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase, End } from "../composite-case.js";

const module = createService(
  {
    answer: z.object({ ok: z.boolean() }),
    escalation: z.object({ escalated: z.boolean(), fromLevel: z.int(), toLevel: z.int() }),
  },
  { dbPath: ":memory:" },
);
const { EscalationChain, outputs } = module;

/** Every level but the last one hands over. */
function end(id: string, size: number, failed?: number): End {
  return {
    nodes: Object.fromEntries(
      Array.from({ length: size }, (_, level) => {
        const escalated = level < size - 1;
        return [
          [`${id}-level-${level}`, level === failed ? ("failed" as const) : { ok: !escalated }],
          [`${id}-check-${level}`, { escalated, fromLevel: level, toLevel: escalated ? level + 1 : level }],
        ] as const;
      }).flat(),
    ),
  };
}

/** Members are levels. */
export const escalationChain: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <EscalationChain
      {...(id !== undefined && { id })}
      levels={Array.from({ length: size }, (_, level) => ({
        agent: agent(() => {
          if (isFailing && level === 1) throw new TypeError("broken");
          return { ok: level === size - 1 };
        }),
        output: outputs.answer,
      }))}
      escalationOutput={outputs.escalation}
      skipIf={skipIf}
    >
      Settle it.
    </EscalationChain>
  ),
  none: () => ({ refused: "INVALID_INPUT", naming: "levels" }),
  one: (id) => end(id, 1),
  many: (id) => end(id, 3),
  failing: (id) => end(id, 3, 1),
};
