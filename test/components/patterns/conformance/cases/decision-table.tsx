import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService({ note: z.object({ text: z.string() }) }, { dbPath: ":memory:" });
const { DecisionTable, Task, outputs } = module;

const notes = (id: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${id}-t${n}`, { text: `${n}` }]));

/** Members are rules, all of which match. */
export const decisionTable: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <DecisionTable
      {...(id !== undefined && { id })}
      rules={Array.from({ length: size }, (_, n) => ({
        when: true,
        then: (
          <Task
            id={`${id}-t${n}`}
            output={outputs.note}
            agent={agent(() => {
              if (isFailing && n === 1) throw new Error("broken");
              return { text: `${n}` };
            })}
          >
            Say something.
          </Task>
        ),
      }))}
      strategy="all-match"
      skipIf={skipIf}
    />
  ),
  none: () => ({ refused: "INVALID_INPUT", naming: "rules" }),
  one: (id) => ({ nodes: notes(id, 1) }),
  many: (id) => ({ nodes: notes(id, 3) }),
  failing: (id) => ({ failed: "RETRY_STORM", nodes: { ...notes(id, 3), [`${id}-t1`]: "failed" } }),
  except: { defaultId: "it has no nodes of its own: only groups, which may have the same name" },
};
