import type { AgentLike } from "../model/agent.js";
import type { TaskDescriptor } from "../model/task.js";
import { shortHash } from "../util/hash.js";
import { stableJson } from "../util/stable-json.js";
import { functionText } from "./function-text.js";

type AnyFunction = (...args: never[]) => unknown;

/**
 * Hash of what defines a task: kind, output shape, upstream tasks, agents, waits,
 * the source of its function. Texts, rows and absolute times are left out: they
 * are usually made of outputs, so they change while the definition does not.
 * So are limits such as `retries`, which may be tuned on a running workflow, and what continues beside the task:
 * `cache`, `scorers` and `memory`, whose names are made of data as well.
 */
export function taskFingerprint(task: TaskDescriptor, definition: TaskDefinition): string {
  return rememberedHash(
    stableJson([
      task.kind,
      task.outputKey,
      definition.outputSignature,
      task.dependsOn,
      task.needs,
      task.deps,
      task.forkSource,
      definition.sourceHash,
      agentIds(task),
      task.allowTools,
      task.needsApproval,
      task.approvalMode,
      task.approvalOnDeny,
      task.approvalAllowedUsers,
      task.approvalAllowedScopes,
      task.eventWait && [task.eventWait.name, task.eventWait.onTimeout],
      task.timerWait?.durationMs,
      definition.extra,
    ]),
  );
}

export interface TaskDefinition {
  /** Signature of the output schema; empty for tasks without a row. */
  outputSignature: string;
  /** Hash of the task's function, if it has one. */
  sourceHash?: string | undefined;
  /** Facts of one kind of task only. */
  extra?: unknown;
}

/** Ids of the task's agents in the order they are tried. */
export function agentIds(task: TaskDescriptor): string[] {
  const { agent, fallbackAgent } = task;
  const chain: AgentLike[] = agent === undefined ? [] : Array.isArray(agent) ? agent : [agent];
  return [...chain, ...(fallbackAgent === undefined ? [] : [fallbackAgent])].map(({ id }) => id ?? "agent");
}

/**
 * First character of every fingerprint. Another one whenever what a fingerprint is made of
 * changes: those stored before then say nothing about the code of today.
 */
const VERSION = "2";
/** As long are the fingerprints of before there were versions. */
const UNMARKED_LENGTH = 16;

/** Whether two tasks are defined differently; for fingerprints of two versions it is unknown, so: no. */
export function areDefinedDifferently(one: string, other: string): boolean {
  return one !== other && versionOf(one) === versionOf(other);
}

function versionOf(fingerprint: string): string {
  return fingerprint.length > UNMARKED_LENGTH ? fingerprint.slice(0, 1) : "";
}

/** Texts whose hashes are remembered: most tasks are defined like others, and every round of a loop like the one before. */
const MOST_REMEMBERED = 1_000;

const sourceHashes = new Map<string, string>();
const hashes = new Map<string, string>();

/** Hash of a function by what it does (see functionText). */
export function sourceHash(fn: AnyFunction): string {
  const source = sourceOf(fn);
  return remembered(sourceHashes, source, () => shortHash(functionText(source)));
}

/** Whether two functions have the same text: then they have the same hash. */
export function isSameSource(a: AnyFunction | undefined, b: AnyFunction | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && sourceOf(a) === sourceOf(b));
}

function sourceOf(fn: AnyFunction): string {
  return Function.prototype.toString.call(fn);
}

function rememberedHash(text: string): string {
  return remembered(hashes, text, () => `${VERSION}${shortHash(text)}`);
}

function remembered(known: Map<string, string>, text: string, hashOf: () => string): string {
  let hash = known.get(text);
  if (hash === undefined) {
    hash = hashOf();
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(ownCopy(text), hash);
  }
  return hash;
}

/** The source of a function is a part of its module's: remembered as it is, it would keep all of that. */
function ownCopy(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
