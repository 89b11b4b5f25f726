import type { HostElement } from "../../model/host-node.js";
import type { TaskMemoryConfig } from "../../model/memory.js";
import { readNamespace } from "../../model/memory-namespace.js";
import { recallProblem } from "../../model/recall-problem.js";
import type { TaskDescriptor } from "../../model/task.js";
import { isPlainObject } from "../../util/same-data.js";
import { nearest } from "../../util/nearest.js";
import { frameError } from "../frame-error.js";
import { readObject } from "../props.js";

const MEMBERS = [
  "namespace",
  "recall",
  "remember",
  "threadId",
  "lastMessages",
] as const satisfies (keyof TaskMemoryConfig)[];
const RECALL_MEMBERS = ["namespace", "query", "topK", "similarityThreshold", "embedder"];
const REMEMBER_MEMBERS = ["namespace", "key", "ttlMs"];

/** `memory`: what the task recalls, remembers, and which conversation it continues with. */
export function describeMemory(element: HostElement, task: TaskDescriptor): void {
  const memory: TaskMemoryConfig | undefined = readObject(element, "memory");
  if (memory === undefined) return;
  const refuse = (problem: string) => frameError("INVALID_INPUT", element, `has ${problem}.`);
  const problem = problemWith(memory);
  if (problem !== undefined) throw refuse(problem);
  if (task.outputKey === "" && memory.remember !== undefined)
    throw refuse("memory.remember but writes no row");
  if (task.kind !== "agent") {
    const stray = (["recall", "threadId", "lastMessages"] as const).find(
      (name) => memory[name] !== undefined,
    );
    if (stray !== undefined)
      throw frameError("TASK_AGENT_REQUIRED", element, `has memory.${stray} but no agent.`);
  }
  if (task.forkSource !== undefined && memory.threadId !== undefined) {
    throw refuse("memory.threadId beside fork: the agent continues with one conversation or the other");
  }
  task.memoryConfig = memory;
}

function problemWith(memory: TaskMemoryConfig): string | undefined {
  const { recall, remember, threadId, lastMessages } = memory;
  const isCount = lastMessages === undefined || (Number.isInteger(lastMessages) && lastMessages >= 0);
  return (
    unknownOptionIn("memory", memory, MEMBERS) ??
    namespaceProblem("memory", memory) ??
    partProblem("memory.recall", recall, RECALL_MEMBERS) ??
    partProblem("memory.remember", remember, REMEMBER_MEMBERS) ??
    recallTextProblem(recall) ??
    rememberProblem(remember) ??
    (isName(threadId) ? undefined : "a memory.threadId that is no text of 1 to 512 characters") ??
    (isCount ? undefined : "a memory.lastMessages that is no whole number from 0") ??
    (lastMessages !== undefined && threadId === undefined
      ? "memory.lastMessages without a threadId"
      : undefined)
  );
}

function partProblem(name: string, part: unknown, members: readonly string[]): string | undefined {
  if (part === undefined) return undefined;
  if (!isPlainObject(part)) return `a ${name} that is no object`;
  return unknownOptionIn(name, part, members) ?? namespaceProblem(name, part);
}

function unknownOptionIn(name: string, part: object, members: readonly string[]): string | undefined {
  const unknownName = Object.keys(part).find((member) => !members.includes(member));
  if (unknownName === undefined) return undefined;
  const meant = nearest(unknownName, members);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  return `${name}.${unknownName}, which does not exist; there are ${members.join(", ")}${hint}`;
}

function namespaceProblem(name: string, { namespace }: { namespace?: unknown }): string | undefined {
  if (namespace === undefined) return undefined;
  const read = readNamespace(namespace);
  return "problem" in read ? `a ${name}.namespace that cannot be one. ${read.problem}` : undefined;
}

function recallTextProblem(recall: TaskMemoryConfig["recall"]): string | undefined {
  if (recall === undefined) return undefined;
  if (recall.query !== undefined && typeof recall.query !== "string")
    return "a memory.recall.query that is no text";
  const problem = recallProblem(recall);
  return problem && `a memory.recall.${problem.option} that cannot be: expected ${problem.expected}`;
}

function rememberProblem(remember: TaskMemoryConfig["remember"]): string | undefined {
  if (remember === undefined) return undefined;
  const { key, ttlMs } = remember;
  if (!isName(key)) return "a memory.remember.key that is no text of 1 to 512 characters";
  const isTtl = ttlMs === undefined || (Number.isFinite(ttlMs) && ttlMs > 0);
  return isTtl ? undefined : "a memory.remember.ttlMs that is no number of milliseconds above 0";
}

function isName(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && value !== "" && value.length <= 512);
}
