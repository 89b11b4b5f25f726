/** Letters, digits and a few signs: queues are named on command lines, and in the database beside other words. */
const QUEUE_NAME = /^[\w.-]{1,40}$/;

/** What a queue's name is, as it reads after "expected". */
export const QUEUE_NAME_RULE = "the name of a queue: up to 40 letters, digits or . _ -";

export function isQueueName(value: unknown): value is string {
  return typeof value === "string" && QUEUE_NAME.test(value);
}
