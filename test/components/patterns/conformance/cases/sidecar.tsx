import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService({ draft: z.object({ quality: z.number() }) }, { dbPath: ":memory:" });
const { Sidecar, outputs } = module;

const scorer = (n: number) => ({
  scorer: {
    id: `quality-${n}`,
    name: `Quality ${n}`,
    description: "What the draft says of itself.",
    score: async ({ output }: { output: unknown }) => ({ score: (output as { quality: number }).quality }),
  },
});

const drafts = (id: string) => ({ [id]: { quality: 0.9 }, [`${id}-sidecar`]: { quality: 0.7 } });
const delta = { primaryScore: 0.9, sidecarScore: 0.7, delta: 0.2, cheaperWins: false };

/** Members are scorers. */
export const sidecar: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <Sidecar
      {...(id !== undefined && { id })}
      agent={agent(() => ({ quality: 0.9 }))}
      sidecar={agent(() => {
        if (isFailing) throw new TypeError("as scripted");
        return { quality: 0.7 };
      })}
      output={outputs.draft}
      scorers={Object.fromEntries(Array.from({ length: size }, (_, n) => [`q${n}`, scorer(n)]))}
      prompt="Write."
      skipIf={skipIf}
    />
  ),
  none: (id) => ({ nodes: drafts(id) }),
  one: (id) => ({ nodes: { ...drafts(id), [`${id}-delta`]: delta } }),
  many: (id) => ({ nodes: { ...drafts(id), [`${id}-delta`]: delta } }),
  failing: (id) => ({
    nodes: {
      [id]: { quality: 0.9 },
      [`${id}-sidecar`]: "failed",
      [`${id}-delta`]: { primaryScore: 0.9, sidecarScore: null, delta: null, cheaperWins: false },
    },
  }),
};
