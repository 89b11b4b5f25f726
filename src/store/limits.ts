/**
 * Caps on what one value may weigh in the database. Every cap is checked before
 * anything is written, and going over one is an error that no retry repairs.
 * Sizes are bytes of UTF-8 JSON unless said otherwise.
 */

/** Input of one run. */
export const MAX_INPUT_BYTES = 1024 * 1024;
/** Levels of objects and arrays inside an input, the input itself included. */
export const MAX_INPUT_DEPTH = 32;
/** One output row: the bytes of its text and JSON columns together. */
export const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** Levels of objects and arrays inside one output column. */
export const MAX_OUTPUT_DEPTH = 200;
/** Data of one signal. */
export const MAX_SIGNAL_BYTES = 1024 * 1024;
/** Each of what a decision carries: its data, its note, the name of the decider. */
export const MAX_DECISION_BYTES = 1024 * 1024;
/** Checkpoint that a task hands to `heartbeat(data)`. */
export const MAX_HEARTBEAT_BYTES = 1_000_000;
/** State that a run hands to the run that continues it. */
export const MAX_CONTINUATION_BYTES = 10 * 1024 * 1024;
