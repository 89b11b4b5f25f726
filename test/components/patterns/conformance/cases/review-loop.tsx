import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase } from "../composite-case.js";

const module = createService(
  { text: z.object({ text: z.string() }), review: z.object({ approved: z.boolean() }) },
  { dbPath: ":memory:" },
);
const { ReviewLoop, outputs } = module;

/** A first round without an approval, and a second one with all of them. */
function rounds(id: string, reviews: readonly string[]) {
  return Object.fromEntries(
    ["", "::1"].flatMap((round, iteration) => [
      [`${id}-produce${round}`, { text: `${iteration}` }],
      ...reviews.map((name) => [`${id}-${name}${round}`, { approved: iteration === 1 }]),
    ]),
  );
}

/** Members are reviewers. */
export const reviewLoop: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <ReviewLoop
      {...(id !== undefined && { id })}
      producer={agent(({ iteration }) => ({ text: `${iteration}` }))}
      reviewer={Array.from({ length: size }, (_, index) =>
        agent(({ iteration }) => {
          if (isFailing && index === 1) throw new Error("broken");
          return { approved: iteration === 1 };
        }),
      )}
      produceOutput={outputs.text}
      reviewOutput={outputs.review}
      skipIf={skipIf}
    >
      Write.
    </ReviewLoop>
  ),
  none: () => ({ refused: "INVALID_INPUT", naming: "reviewer" }),
  one: (id) => ({ nodes: rounds(id, ["review"]) }),
  many: (id) => ({ nodes: rounds(id, ["review-0", "review-1", "review-2"]) }),
  failing: (id) => ({
    failed: "RETRY_STORM",
    nodes: {
      [`${id}-produce`]: { text: "0" },
      [`${id}-review-0`]: { approved: false },
      [`${id}-review-1`]: "failed",
      [`${id}-review-2`]: { approved: false },
    },
  }),
};
