/**
 * Set, to anything but the empty text, in the environment of every process that a task's tools and
 * agents start. Whoever runs under it is at work for a task, and decides nothing about runs.
 */
export const TASK_MARKER = "TREADLE_TASK";
