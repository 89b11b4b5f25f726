import { LARGEST_MEMORY_VALUE } from "../../memory/checked.js";
import { ServiceError } from "../../errors/service-error.js";
import type { OutputRow } from "../../model/schema.js";
import type { MemoryWrite } from "../../store/index.js";
import { utf8Length } from "../../util/bounded-text.js";
import { withoutAddress } from "../attempt/task-row.js";
import { withoutSecrets } from "../attempt/without-secrets.js";
import type { MountedJob } from "../ports.js";
import { memoryNamespace, messageIds } from "./recall.js";

/** The conversation of the attempt, where it is kept. */
export interface Said {
  prompt: string;
  /** As the agent has put it. @default the JSON of the row, as for a row from the cache */
  answer?: string | undefined;
}

/**
 * The memory write of a finished task, part of the commit that finishes it. Secrets that the environment
 * names as such stay out: remembered facts come into other prompts.
 * @throws INVALID_OUTPUT for a row that is too large to be remembered
 */
export function memoryWrite(job: MountedJob, row: OutputRow, said: Said): MemoryWrite | undefined {
  const { remember, threadId } = job.task.memoryConfig ?? {};
  if (remember === undefined && threadId === undefined) return undefined;
  const value = withoutSecrets(plainJson(withoutAddress(row)));
  return {
    ...(remember !== undefined && {
      fact: {
        namespace: memoryNamespace(job, remember),
        key: remember.key ?? job.nodeId,
        valueJson: bounded(job, JSON.stringify(value)),
        ...(remember.ttlMs !== undefined && { ttlMs: remember.ttlMs }),
      },
    }),
    ...(threadId !== undefined && {
      said: { threadId, namespace: memoryNamespace(job), messages: messages(job, value, said) },
    }),
  };
}

function messages(job: MountedJob, value: unknown, { prompt, answer }: Said) {
  const { runId, nodeId } = job;
  const ids = messageIds(job);
  const text = (content: string) => bounded(job, JSON.stringify(withoutSecrets(content)));
  return [
    { id: ids.question, role: "user", contentJson: text(prompt), runId, nodeId },
    { id: ids.answer, role: "assistant", contentJson: text(answer ?? JSON.stringify(value)), runId, nodeId },
  ];
}

/** Rows may hold integers of any size, which JSON has no numbers for. */
function plainJson(row: unknown): unknown {
  const json = JSON.stringify(row, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return JSON.parse(json) as unknown;
}

function bounded({ nodeId }: MountedJob, json: string): string {
  const sizeBytes = utf8Length(json);
  if (sizeBytes <= LARGEST_MEMORY_VALUE) return json;
  throw new ServiceError(
    "INVALID_OUTPUT",
    `Task ${nodeId} cannot be remembered: ${sizeBytes} bytes of JSON, of which memory takes at most ${LARGEST_MEMORY_VALUE}.`,
    { details: { nodeId, sizeBytes, limitBytes: LARGEST_MEMORY_VALUE }, retryable: false },
  );
}
