import { isValidElement, type ReactElement } from "react";
import { renderableSchema, withSchema } from "../../../jsx-runtime/prompt-schema.js";
import { answerJsonSchema } from "../../agents/structured/answer-schema.js";
import { ServiceError } from "../../errors/service-error.js";
import { renderPrompt } from "../../renderer/render-prompt.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { RunnerContext } from "../ports.js";

/** The prompt of an agent task: what a person has put in its place, its text, or what its function returns. */
export async function promptText(context: RunnerContext): Promise<string> {
  const { job, runtime, prompt } = context;
  const { task } = job;
  if (prompt !== undefined) return prompt;
  if (job.editedPrompt?.prompt != null) return job.editedPrompt.prompt;
  if (task.computeFn === undefined) return task.prompt ?? "";
  const value = await task.computeFn(job.args, runtime);
  if (typeof value === "string") return value;
  if (isValidElement(value)) {
    const { outputSchema } = task;
    return renderPrompt(
      outputSchema === undefined
        ? value
        : (withSchema(value, renderableSchema(answerJsonSchema(outputSchema))) as ReactElement),
    );
  }
  throw new ServiceError(
    "INVALID_INPUT",
    `The prompt function of task ${job.nodeId} returned ${value === null ? "null" : typeof value}; a string or an element is expected.`,
    { details: { nodeId: job.nodeId }, retryable: false },
  );
}

/** Gives the next attempt the reason why the last one failed. */
export function withPreviousFailure(prompt: string, previousError: string | null): string {
  if (previousError === null) return prompt;
  return `${prompt}\n\nThe previous attempt at this task failed:\n${previousError}`;
}

/** The prompt for an agent whose session a person has had. The session remembers the task. */
export function givenBackPrompt({ onHijackExit = "complete" }: TaskDescriptor, prompt: string): string {
  return onHijackExit === "complete"
    ? "A person has taken over this conversation and now gives it back. Do no further work: answer for the task as things stand now."
    : `A person has worked in this conversation and now gives it back to you. Look at what has changed since, then continue with the task.\n\n${prompt}`;
}
