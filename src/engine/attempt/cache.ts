import { object, type ZodObject } from "zod";
import { sourceHash } from "../../graph/fingerprint.js";
import { AUTO_DECIDER } from "../../model/approval.js";
import { type CacheRow, ignoredRules } from "../../store/index.js";
import { parseWith } from "../../model/parse-with.js";
import type { OutputRow } from "../../model/schema.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import type { Awaitable } from "../../util/awaitable.js";
import { sha256Hex } from "../../util/hash.js";
import { stableJson } from "../../util/stable-json.js";
import type { MountedJob, Store } from "../ports.js";
import { agentIdentity } from "../tasks/agent-identity.js";

/** The parts of a question that are known only once the attempt has begun. */
export interface Asked {
  /** The return value of a prompt function, as text. @default the prompt of the descriptor */
  prompt?: string | undefined;
  /** Facts that memory had for it. */
  found?: string | undefined;
}

/**
 * The key under which an attempt's row may be found and kept; null for tasks
 * that are not cached. Equal keys mean: the same question to the same answerer,
 * with an answer of the same shape.
 */
export function taskCacheKey(
  job: MountedJob,
  store: Store,
  { prompt = job.editedPrompt?.prompt ?? job.task.prompt, found }: Asked = {},
): string | null {
  const { task } = job;
  if (!isCached(job)) return null;
  const policy = task.cachePolicy ?? {};
  const scope = policy.scope ?? "workflow";
  const { by: _by, version, key, ttlMs: _ttlMs, scope: _scope, ...extra } = policy;
  return sha256Hex(
    stableJson({
      scope,
      workflow: scope === "global" ? null : job.workflowName,
      run: scope === "run" ? job.runId : null,
      task: key ?? job.nodeId,
      // Without a policy every iteration is a question of its own.
      iteration: task.cachePolicy === undefined ? job.iteration : null,
      output: store.codec(task.outputKey).signature,
      agent: agentIdentity(task),
      prompt: prompt ?? null,
      payload: task.staticPayload ?? null,
      arguments: job.args,
      // Of this very function: a mounted task may get another one without being described anew.
      code: task.kind === "compute" && task.computeFn ? sourceHash(task.computeFn) : null,
      asked: asked(task),
      version: version ?? null,
      by: task.cacheBy ?? null,
      extra,
      ...(found !== undefined && { found }),
    }),
  );
}

/** Whether the row of this attempt may come from the cache, or go there. */
function isCached({ task, cacheAll, isForkSource }: MountedJob): boolean {
  if (task.isUncached === true) return false;
  const isWork = task.kind === "agent" || task.kind === "compute";
  if (task.cachePolicy === undefined && !(cacheAll && isWork)) return false;
  // A cached row has no session to fork from, and what a fork answers depends on a conversation no key describes.
  return !isForkSource && task.forkSource === undefined;
}

/** Whether the cache can only be asked once the task's function has made the prompt. */
export function needsPromptForCache(job: MountedJob): boolean {
  const { kind, computeFn } = job.task;
  return kind === "agent" && computeFn !== undefined && isCached(job);
}

/** The question to a person, or the input of a child run. */
function asked(task: TaskDescriptor): unknown {
  if (task.kind === "approval") {
    const { approvalMode, approvalRequest, approvalOptions = [] } = task;
    const { approvalAllowedScopes = null, approvalAllowedUsers = null } = task;
    return [approvalMode, approvalRequest, approvalOptions, approvalAllowedScopes, approvalAllowedUsers];
  }
  if (task.subflow === undefined) return null;
  const { workflow, input = {} } = task.subflow as { workflow: ServiceWorkflow; input?: unknown };
  return [workflow.readableName ?? null, workflow.opts.workflowHash ?? null, input];
}

/** The kept row, if it still fits and is not too old. */
export function usableRow(
  kept: CacheRow | undefined,
  { job, store, now }: { job: MountedJob; store: Store; now: number },
): Awaitable<OutputRow | null> {
  const codec = store.codec(job.task.outputKey);
  if (kept === undefined || kept.signature !== codec.signature) return null;
  if (kept.expiresAtMs !== null && kept.expiresAtMs <= now) return null;
  const row = codec.decode(kept.columns, job);
  const schema = (job.task.outputSchema ?? codec.schema) as ZodObject;
  const whole = fits(schema, row);
  const outcome =
    whole instanceof Promise
      ? whole.then((isFit) => isFit || fitsApartFromTransforms(schema, row))
      : whole || fitsApartFromTransforms(schema, row);
  const usable = (isFit: boolean) => (isFit ? row : null);
  return outcome instanceof Promise ? outcome.then(usable) : usable(outcome);
}

function fits(schema: ZodObject, row: OutputRow): Awaitable<boolean> {
  const parsed = parseWith(schema, row);
  return parsed instanceof Promise ? parsed.then(({ success }) => success) : parsed.success;
}

/** The output of a transform is no input that it would take: only the other fields can be checked again. */
function fitsApartFromTransforms({ shape }: ZodObject, row: OutputRow): Awaitable<boolean> {
  const fields = Object.entries(shape);
  const rest = fields.filter(([, field]) => !ignoredRules(field).some(({ rule }) => rule === "transform"));
  return rest.length < fields.length && fits(object(Object.fromEntries(rest)), row);
}

/** Whether this attempt may take its row from the cache: an approval only when its decision was taken from there. */
export function readsCache({ resolution }: MountedJob): boolean {
  return resolution?.kind !== "decision" || resolution.decision.fromCache === true;
}

/** Whether this attempt's row is kept. Of approvals only what a person approved, and not what comes from the cache. */
export function fillsCache({ task, resolution }: MountedJob): boolean {
  if (task.kind !== "approval" || resolution?.kind !== "decision") return true;
  const { approved, fromCache, decidedBy } = resolution.decision;
  return approved && fromCache !== true && decidedBy !== AUTO_DECIDER;
}
