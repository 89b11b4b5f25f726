import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService({ answer: z.object({ seats: z.int() }) }, { dbPath: ":memory:" });
const { HumanTask, outputs } = module;
const large = z.object({ seats: z.int().min(20) });

/** How many wrong answers come first, by node. */
const wrong = new Map<string, number>();

/** Members are the answers that are refused before the one that is taken. */
export const humanTask: CompositeCase = {
  module,
  mount({ id, size, isFailing, skipIf }) {
    wrong.set(id ?? "human-task", isFailing ? 9 : size);
    return (
      <HumanTask
        {...(id !== undefined && { id })}
        output={outputs.answer}
        outputSchema={large}
        prompt="How many seats?"
        maxAttempts={4}
        skipIf={skipIf}
      />
    );
  },
  answer: (nodeId, earlier) => ({ data: { seats: earlier < (wrong.get(nodeId) ?? 0) ? 2 : 24 } }),
  none: (id) => ({ nodes: { [id]: { seats: 24 } } }),
  one: (id) => ({ nodes: { [id]: { seats: 24 } } }),
  many: (id) => ({ nodes: { [id]: { seats: 24 } } }),
  failing: (id) => ({ failed: "INVALID_OUTPUT", nodes: { [id]: "failed" } }),
};
