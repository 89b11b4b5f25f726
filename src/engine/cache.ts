import { sha256Hex } from "../util/hash.js";
import { stableJson } from "../util/stable-json.js";
import type { AttemptJob, Store } from "./ports.js";
import { agentIdentity } from "./tasks/agent-identity.js";

/**
 * The key under which an attempt's row may be found and kept; null for tasks
 * that are not cached. Equal keys mean: the same question to the same answerer,
 * with an answer of the same shape.
 */
export function taskCacheKey(job: AttemptJob, store: Store): string | null {
  const { task } = job;
  if (task.kind !== "agent" && task.kind !== "compute") return null;
  if (task.cachePolicy === undefined && !job.cacheAll) return null;
  // A cached row has no session to fork from, and what a fork answers depends on a conversation no key describes.
  if (job.isForkSource || task.forkSource !== undefined) return null;
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
      prompt: task.prompt ?? null,
      payload: task.staticPayload ?? null,
      arguments: job.args,
      code: task.kind === "compute" ? task.fingerprint : null,
      version: version ?? null,
      by: task.cacheBy ?? null,
      extra,
    }),
  );
}
