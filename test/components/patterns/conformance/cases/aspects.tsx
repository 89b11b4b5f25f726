import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";
import { TOKENS } from "../run-case.js";

const module = createService({ note: z.object({ text: z.string() }) }, { dbPath: ":memory:" });
const { Aspects, Task, outputs } = module;

const notes = (id: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${id}-${n}`, { text: `${id} ${n}` }]));

/** Members are the tasks inside. */
export const aspects: CompositeCase = {
  module,
  mount: ({ id = "a", size, isFailing, skipIf, agent }) => (
    <Aspects id={id} tokenBudget={{ max: isFailing ? TOKENS : 1_000 }} skipIf={skipIf}>
      {Array.from({ length: size }, (_, n) => (
        <Task key={n} id={`${id}-${n}`} output={outputs.note} agent={agent(() => ({ text: `${id} ${n}` }))}>
          Say something.
        </Task>
      ))}
    </Aspects>
  ),
  none: () => ({ nodes: {} }),
  one: (id) => ({ nodes: notes(id, 1) }),
  many: (id) => ({ nodes: notes(id, 3) }),
  failing: (id) => ({
    failed: "ASPECT_BUDGET_EXCEEDED",
    nodes: { ...notes(id, 1), [`${id}-1`]: "failed" },
  }),
  except: { defaultId: "made of the place in the tree, so that two never collide" },
};
