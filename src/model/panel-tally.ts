import { z } from "zod";
import { once } from "../util/once.js";

/** Row of the task `<id>-tally` of a Panel: who answered, what they voted for, and what that comes to. */
export type PanelTally = {
  /** As the prop of the Panel. */
  strategy: "synthesize" | "vote" | "consensus";
  /** How many there are. */
  panelists: number;
  /** Names of those that have answered, in the order of the list. */
  answered: string[];
  /** Names of those that have failed. */
  missing: string[];
  /** As the prop of the Panel: panelists that have to agree, or to have answered. */
  minAgree: number;
  /** The votes by answer, most votes first. Empty with `synthesize`. */
  votes: { vote: string | number | boolean; count: number; by: string[] }[];
  /** Whether one vote has at least `minAgree` panelists and more than any other; with `synthesize`, whether enough have answered. */
  agreed: boolean;
  /** The vote that they agreed on; null without an agreement, and with `synthesize`. */
  decision: string | number | boolean | null;
};

export const panelTally = once(() => {
  const ballot = z.union([z.string(), z.number(), z.boolean()]);
  return z.object({
    strategy: z.enum(["synthesize", "vote", "consensus"]),
    panelists: z.int(),
    answered: z.array(z.string()),
    missing: z.array(z.string()),
    minAgree: z.int(),
    votes: z.array(z.object({ vote: ballot, count: z.int(), by: z.array(z.string()) })),
    agreed: z.boolean(),
    decision: ballot.nullable(),
  }) satisfies z.ZodType<PanelTally>;
});
