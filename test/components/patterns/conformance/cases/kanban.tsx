import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService(
  {
    card: z.object({ text: z.string() }),
    summary: z.object({ total: z.int(), done: z.array(z.string()), left: z.array(z.string()) }),
  },
  { dbPath: ":memory:" },
);
const { Kanban, outputs } = module;

const names = (count: number) => Array.from({ length: count }, (_, n) => `t${n}`);

/** All tickets through both columns, the second of which sees what the first has made. */
function board(id: string, count: number) {
  const cards = names(count).flatMap((ticket) => [
    [`${id}-todo-${ticket}`, { text: `todo ${ticket}` }],
    [`${id}-check-${ticket}`, { text: `checked todo ${ticket}` }],
  ]);
  return { ...Object.fromEntries(cards), [`${id}-complete`]: { total: count, done: names(count), left: [] } };
}

/** Members are tickets. */
export const kanban: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <Kanban
      {...(id !== undefined && { id })}
      columns={[
        {
          name: "todo",
          output: outputs.card,
          agent: agent(({ prompt }) => {
            const ticket = /t\d/.exec(prompt)?.[0];
            if (isFailing && ticket === "t1") throw new TypeError("as scripted");
            return { text: `todo ${ticket}` };
          }),
        },
        {
          name: "check",
          output: outputs.card,
          agent: agent(({ prompt }) => ({ text: `checked ${/todo t\d/.exec(prompt)?.[0]}` })),
        },
      ]}
      useTickets={() => names(size).map((ticket) => ({ id: ticket }))}
      onComplete={outputs.summary}
      maxIterations={2}
      skipIf={skipIf}
    />
  ),
  none: (id) => ({ nodes: board(id, 0) }),
  one: (id) => ({ nodes: board(id, 1) }),
  many: (id) => ({ nodes: board(id, 3) }),
  failing: (id) => ({
    nodes: {
      [`${id}-check-t0`]: { text: "checked todo t0" },
      [`${id}-todo-t1`]: "failed",
      [`${id}-todo-t1::1`]: "failed",
      [`${id}-complete`]: { total: 3, done: ["t0", "t2"], left: ["t1"] },
    },
  }),
};
