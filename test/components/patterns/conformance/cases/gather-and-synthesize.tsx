import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase, End } from "../composite-case.js";

const module = createService(
  { finding: z.object({ text: z.string() }), output: z.object({ text: z.string() }) },
  { dbPath: ":memory:" },
);
const { GatherAndSynthesize, outputs } = module;

const NAMES = ["code", "law", "press"];

function end(id: string, size: number, missing: readonly string[] = []): End {
  const names = NAMES.slice(0, size);
  return {
    nodes: {
      ...Object.fromEntries(
        names.map((name) => [`${id}-gather-${name}`, missing.includes(name) ? "failed" : { text: name }]),
      ),
      [`${id}-gathered`]: { gathered: names.filter((name) => !missing.includes(name)), missing },
      [`${id}-synthesize`]: { text: "all" },
    },
  };
}

/** Members are sources. */
export const gatherAndSynthesize: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <GatherAndSynthesize
      {...(id !== undefined && { id })}
      sources={Object.fromEntries(
        NAMES.slice(0, size).map((name) => [
          name,
          agent(() => {
            if (isFailing && name === "law") throw new TypeError("broken");
            return { text: name };
          }),
        ]),
      )}
      synthesizer={agent(() => ({ text: "all" }))}
      gatherOutput={outputs.finding}
      synthesisOutput={outputs.output}
      skipIf={skipIf}
    >
      What is known?
    </GatherAndSynthesize>
  ),
  none: () => ({ refused: "INVALID_INPUT", naming: "sources" }),
  one: (id) => end(id, 1),
  many: (id) => end(id, 3),
  failing: (id) => end(id, 3, ["law"]),
};
