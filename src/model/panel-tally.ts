import { z } from "zod";

/** What one may vote for. */
const ballot = z.union([z.string(), z.number(), z.boolean()]);

/** Row of the task `<id>-tally` of a Panel: who answered, what they voted for, and what that comes to. */
export const panelTally = z.object({
  strategy: z.enum(["synthesize", "vote", "consensus"]),
  panelists: z.int(),
  /** Names of those that have answered, in the order of the list. */
  answered: z.array(z.string()),
  /** Names of those that have failed. */
  missing: z.array(z.string()),
  minAgree: z.int(),
  /** What was voted for, most votes first. Empty with `synthesize`. */
  votes: z.array(z.object({ vote: ballot, count: z.int(), by: z.array(z.string()) })),
  /** Whether one vote has at least `minAgree` panelists and more than any other; with `synthesize`, whether enough have answered. */
  agreed: z.boolean(),
  /** The vote that they agreed on; null without an agreement, and with `synthesize`. */
  decision: ballot.nullable(),
});

/** What the votes of a `Panel` come to. */
export type PanelTally = z.infer<typeof panelTally>;
