import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase, End } from "../composite-case.js";

const module = createService(
  { opinion: z.object({ vote: z.string() }), output: z.object({ text: z.string() }) },
  { dbPath: ":memory:" },
);
const { Panel, outputs } = module;

const NAMES = ["panelist-0", "panelist-1", "panelist-2"];

/** What those who answer come to; the last one always votes otherwise. */
function end(id: string, size: number, missing: readonly string[] = []): End {
  const names = NAMES.slice(0, size);
  const answered = names.filter((name) => !missing.includes(name));
  const voteOf = (name: string) => (name === "panelist-2" ? "no" : "yes");
  const count = answered.filter((name) => voteOf(name) === "yes").length;
  const agreed = count >= Math.floor(size / 2) + 1;
  return {
    nodes: {
      ...Object.fromEntries(
        names.map((name) => [`${id}-${name}`, missing.includes(name) ? "failed" : { vote: voteOf(name) }]),
      ),
      [`${id}-tally`]: { answered, missing, agreed, decision: agreed ? "yes" : null },
      [`${id}-moderator`]: { text: "done" },
    },
  };
}

/** Members are panelists. */
export const panel: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <Panel
      {...(id !== undefined && { id })}
      panelists={NAMES.slice(0, size).map((_name, index) =>
        agent(() => {
          if (isFailing && index === 1) throw new TypeError("broken");
          return { vote: index === 2 ? "no" : "yes" };
        }),
      )}
      moderator={agent(() => ({ text: "done" }))}
      panelistOutput={outputs.opinion}
      moderatorOutput={outputs.output}
      strategy="vote"
      skipIf={skipIf}
    >
      Shall we?
    </Panel>
  ),
  none: () => ({ refused: "INVALID_INPUT", naming: "panelists" }),
  one: (id) => end(id, 1),
  many: (id) => end(id, 3),
  failing: (id) => end(id, 3, ["panelist-1"]),
};
