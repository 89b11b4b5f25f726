import { z } from "zod";

/** Row of an Approval that is approved or denied: its output, or a part of it. */
export const approvalDecision = z.object({
  approved: z.boolean(),
  note: z.string().nullable(),
  decidedBy: z.string().nullable(),
  /** ISO 8601. */
  decidedAt: z.string().nullable(),
});

/** Row of an Approval with `mode="select"`: the key of an option, empty when it was denied and continues. */
export const approvalSelection = z.object({ selected: z.string(), notes: z.string().nullable() });

/** Row of an Approval with `mode="rank"`: the keys of all options, best first. */
export const approvalRanking = z.object({ ranked: z.array(z.string()), notes: z.string().nullable() });
