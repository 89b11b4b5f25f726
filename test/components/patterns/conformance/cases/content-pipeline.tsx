import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService({ text: z.object({ text: z.string() }) }, { dbPath: ":memory:" });
const { ContentPipeline, outputs } = module;

const rows = (id: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${id}-s${at}`, { text: `s${at}` }]));

/** Members are stages. */
export const contentPipeline: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <ContentPipeline
      {...(id !== undefined && { id })}
      stages={Array.from({ length: size }, (_, at) => ({
        id: `s${at}`,
        agent: agent(() => {
          if (isFailing && at === 1) throw new Error("broken");
          return { text: `s${at}` };
        }),
        output: outputs.text,
      }))}
      skipIf={skipIf}
    >
      Write.
    </ContentPipeline>
  ),
  none: () => ({ refused: "INVALID_INPUT", naming: "stages" }),
  one: (id) => ({ nodes: rows(id, 1) }),
  many: (id) => ({ nodes: rows(id, 3) }),
  failing: (id) => ({ failed: "RETRY_STORM", nodes: { ...rows(id, 1), [`${id}-s1`]: "failed" } }),
};
