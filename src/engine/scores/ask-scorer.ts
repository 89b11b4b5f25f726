import { readUsage } from "../../agents/structured/read-usage.js";
import { ensureError } from "../../errors/ensure-error.js";
import type { ScorerUsage } from "../../model/scorer.js";
import { inScorerSpan } from "../../observability/trace/scorer-span.js";
import { withProcessTerms } from "../../process/process-terms.js";
import { runScorer } from "../../scorers/run-scorer.js";
import { createToolContext, runWithLazyToolContext } from "../../tools/tool-context.js";
import { AttemptLog } from "../attempt/attempt-log.js";
import { AttemptProcesses } from "../attempt/attempt-processes.js";
import { guardProcess } from "../attempt/process-guard.js";
import { sharedConfig } from "../attempt/shared-config.js";
import { hearTaskConsole } from "../attempt/task-console.js";
import { type RunningAttempt, withAttempt } from "../attempt/task-runtime.js";
import type { RunnerServices, ScoreJob, ScoreOutcome } from "../ports.js";
import { runRoot } from "../run-root.js";
import { toolLimits } from "../tasks/tool-limits.js";

/**
 * Lets one scorer work, under the rules that its task had: code of the workflow that may print,
 * start processes, and leave uncaught errors behind. Never rejects, and never settles
 * where another process owns the run.
 */
export async function askScorer(
  { clock, store }: Pick<RunnerServices, "clock" | "store">,
  job: ScoreJob,
): Promise<ScoreOutcome> {
  guardProcess();
  hearTaskConsole();
  const mayBegin = job.mayBegin();
  if (!(mayBegin instanceof Promise ? await mayBegin : mayBegin)) return new Promise(() => {});
  const { score, signal, config, runId } = job;
  const { nodeId, iteration, attempt } = score.row;
  const place = { runId, nodeId, iteration, attempt };
  const beganAtMs = clock.now();
  const elapsed = () => Math.max(0, clock.now() - beganAtMs);
  return new Promise((resolve) => {
    const fail = (thrown: unknown) =>
      resolve({ kind: "failed", error: ensureError(thrown), durationMs: elapsed() });
    const attempt = attemptOf(job, fail);
    const tools = () =>
      createToolContext({
        ...toolLimits(config),
        ...place,
        idempotencyKey: attempt.runtime.idempotencyKey,
        rootDir: attempt.runtime.rootDir,
        signal,
        clock,
      });
    const onUsage = (said: ScorerUsage) => {
      const usage = readUsage(said);
      if (usage === undefined) return;
      const agentId = typeof said.agent === "string" ? said.agent : score.row.scorerId;
      job.onUsage({ ...usage, agentId });
    };
    const ask = () => runScorer(score.scorer, { ...score.input, signal, onUsage });
    const processes = new AttemptProcesses({ ...job, nodeId }, store.path);
    const inItsSpan = () =>
      inScorerSpan({ runId, row: score.row, signal }, store, () => runWithLazyToolContext(tools, ask));
    withProcessTerms(processes, () => withAttempt(attempt, inItsSpan)).then(
      (result) => resolve({ kind: "scored", result, durationMs: elapsed() }),
      fail,
    );
  });
}

function attemptOf(job: ScoreJob, fail: (thrown: unknown) => void): RunningAttempt {
  const { runId, config, signal } = job;
  const { nodeId, iteration, attempt, id } = job.score.row;
  const place = { nodeId, iteration, attempt };
  const log = new AttemptLog({ ...place, config }, { event: job.onEvent });
  return {
    runtime: {
      runId,
      ...place,
      idempotencyKey: id,
      signal,
      heartbeat() {},
      lastHeartbeat: undefined,
      rootDir: runRoot(config),
      config: sharedConfig(config),
      log: (message) => log.write(message),
      scores: job.scores,
      failure: job.failure,
    },
    uncaught(error) {
      fail(error);
      return true;
    },
    exiting() {},
    said: (stream, text) => log.heard(stream, text),
  };
}
