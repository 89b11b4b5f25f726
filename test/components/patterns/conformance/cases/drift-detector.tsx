import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService(
  {
    state: z.object({ replicas: z.int() }),
    drift: z.object({ drifted: z.boolean() }),
    alarm: z.object({ text: z.string() }),
  },
  { dbPath: ":memory:" },
);
const { DriftDetector, Task, outputs } = module;

/** So many looks that find nothing, and then one that does. */
function looks(id: string, quiet: number, hasDrifted = true) {
  const nodes: Record<string, Record<string, unknown>> = {};
  for (let look = 0; look <= quiet; look += 1) {
    const round = look === 0 ? "" : `::${look}`;
    const drifted = hasDrifted && look === quiet;
    nodes[`${id}-capture${round}`] = { replicas: drifted ? 1 : 3 };
    nodes[`${id}-compare${round}`] = { drifted };
    if (look > 0) nodes[`${id}-delay${round}`] = {};
  }
  return hasDrifted ? { ...nodes, [`${id}-alarm`]: { text: id } } : nodes;
}

/** Members are the looks before the one that finds a drift. */
export const driftDetector: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <DriftDetector
      {...(id !== undefined && { id })}
      captureAgent={agent(({ iteration }) => ({ replicas: iteration >= size && !isFailing ? 1 : 3 }))}
      compareAgent={agent(({ prompt }) => ({ drifted: prompt.includes('"replicas": 1') }))}
      captureOutput={outputs.state}
      compareOutput={outputs.drift}
      baseline={{ replicas: 3 }}
      poll={{ intervalMs: 60_000, maxPolls: 4 }}
      alert={
        <Task id={`${id}-alarm`} output={outputs.alarm}>
          {{ text: `${id}` }}
        </Task>
      }
      skipIf={skipIf}
    />
  ),
  none: (id) => ({ nodes: looks(id, 0) }),
  one: (id) => ({ nodes: looks(id, 1) }),
  many: (id) => ({ nodes: looks(id, 3) }),
  failing: (id) => ({ nodes: looks(id, 3, false) }),
};
