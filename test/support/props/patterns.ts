import { reviewLoopTable } from "./patterns/review-loop.js";
import type { PropTable } from "./prop-table.js";

/** One line for each composite. */
export const patternTables = {
  ReviewLoop: reviewLoopTable,
} satisfies Record<string, PropTable>;
