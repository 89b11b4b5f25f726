import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService(
  {
    plan: z.object({
      tasks: z.array(z.object({ id: z.string(), workerType: z.string(), instructions: z.string() })),
    }),
    text: z.object({ text: z.string() }),
    review: z.object({ allDone: z.boolean(), retriable: z.array(z.string()) }),
  },
  { dbPath: ":memory:" },
);
const { Supervisor, outputs } = module;

const planOf = (count: number) => ({
  tasks: Array.from({ length: count }, (_, n) => ({
    id: `t${n}`,
    workerType: `w${n}`,
    instructions: `Do ${n}.`,
  })),
});
const done = { allDone: true, retriable: [] };

/** Members are the tasks of the plan, each for a worker of its own; of several, the second is done again. */
export const supervisor: CompositeCase = {
  module,
  mount({ id, size, isFailing, skipIf, agent }) {
    const worker = agent(({ prompt, iteration }) => {
      if (isFailing && prompt.includes("Do 2.")) throw new TypeError("as scripted");
      return { text: `${/Do \d/.exec(prompt)?.[0]} in round ${iteration}` };
    });
    return (
      <Supervisor
        {...(id !== undefined && { id })}
        boss={agent(({ nodeId, iteration, prompt }) => {
          if (nodeId.endsWith("-plan")) return planOf(size);
          if (nodeId.endsWith("-review")) {
            return iteration === 1 || size < 2 ? done : { allDone: false, retriable: ["t1"] };
          }
          return { text: [...prompt.matchAll(/Do \d in round \d/g)].join(", ") };
        })}
        workers={{ w0: worker, w1: worker, w2: worker, idle: worker }}
        planOutput={outputs.plan}
        workerOutput={outputs.text}
        reviewOutput={outputs.review}
        finalOutput={outputs.text}
        skipIf={skipIf}
      >
        Do it.
      </Supervisor>
    );
  },
  none: (id) => ({ nodes: { [`${id}-plan`]: { tasks: [] }, [`${id}-final`]: { text: "" } } }),
  one: (id) => ({
    nodes: {
      [`${id}-plan`]: planOf(1),
      [`${id}-worker-w0`]: { text: "Do 0 in round 0" },
      [`${id}-review`]: done,
      [`${id}-final`]: { text: "Do 0 in round 0" },
    },
  }),
  many: (id) => ({
    nodes: {
      [`${id}-plan`]: planOf(3),
      [`${id}-worker-w0`]: { text: "Do 0 in round 0" },
      [`${id}-worker-w1`]: { text: "Do 1 in round 0" },
      [`${id}-worker-w2`]: { text: "Do 2 in round 0" },
      [`${id}-review`]: { allDone: false, retriable: ["t1"] },
      [`${id}-worker-w1::1`]: { text: "Do 1 in round 1" },
      [`${id}-review::1`]: done,
      [`${id}-final`]: { text: "Do 0 in round 0, Do 1 in round 1, Do 2 in round 0" },
    },
  }),
  failing: (id) => ({
    nodes: {
      [`${id}-worker-w2`]: "failed",
      [`${id}-review::1`]: done,
      [`${id}-final`]: { text: "Do 0 in round 0, Do 1 in round 1" },
    },
  }),
};
