import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService({ check: z.object({ satisfied: z.boolean() }) }, { dbPath: ":memory:" });
const { Poller, outputs } = module;

/** The checks of a poller that waits so many times. */
function checks(id: string, waits: number, isSatisfied = true) {
  const last = { [at(`${id}-check`, waits)]: { satisfied: isSatisfied } };
  const rounds = Array.from({ length: waits }, (_, round) => ({
    [at(`${id}-check`, round)]: { satisfied: false },
    [at(`${id}-delay`, round + 1)]: {},
  }));
  return Object.assign({}, ...rounds, last) as Record<string, Record<string, unknown>>;
}

const at = (node: string, round: number) => (round === 0 ? node : `${node}::${round}`);

/** Members are the waits before the check that is satisfied. */
export const poller: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <Poller
      {...(id !== undefined && { id })}
      check={agent(({ iteration }) => ({ satisfied: iteration >= size && !isFailing }))}
      checkOutput={outputs.check}
      maxAttempts={4}
      backoff="exponential"
      skipIf={skipIf}
    >
      Is it there?
    </Poller>
  ),
  none: (id) => ({ nodes: checks(id, 0) }),
  one: (id) => ({ nodes: checks(id, 1) }),
  many: (id) => ({ nodes: checks(id, 3) }),
  failing: (id) => ({ failed: "RALPH_MAX_REACHED", nodes: checks(id, 3, false) }),
};
