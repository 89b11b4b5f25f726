/**
 * Set, to anything but the empty text, in the environment of every process that a task's tools and
 * agents start. A process that has it works for a task, and decides nothing about runs.
 */
export const TASK_MARKER = "TREADLE_TASK";
