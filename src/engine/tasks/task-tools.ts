import { createToolContext, type ToolContext } from "../../tools/tool-context.js";
import type { RunnerContext } from "../ports.js";
import { effectJournal } from "./tool-effects.js";
import { toolLimits } from "./tool-limits.js";

/** The rights of this attempt's tools, and where their calls are reported. */
export function taskTools({ job, runtime, report, services, files }: RunnerContext): ToolContext {
  const { config, nodeId, iteration, attempt } = job;
  const address = { nodeId, iteration, attempt };
  const calls = new Map<number, string>();
  return createToolContext({
    ...address,
    rootDir: runtime.rootDir,
    runId: job.runId,
    idempotencyKey: runtime.idempotencyKey,
    signal: runtime.signal,
    clock: services.clock,
    ...toolLimits(config),
    ...(job.revertedAttempt > 0 && { revertedAttempt: job.revertedAttempt }),
    onEffect: effectJournal(job, (effect) => report.effect(effect)),
    // Of a call that this process dies in, a rewind must know, and what it has changed must be seen.
    async beforeEffect() {
      await files.before();
      await report.whenKept();
    },
    onToolStart({ toolName, toolCallId = `call-${calls.size + 1}`, seq, sideEffect }) {
      calls.set(seq, toolCallId);
      report.heartbeat(undefined);
      report.event({
        type: "ToolCallStarted",
        ...address,
        toolName,
        toolCallId,
        seq,
        ...(sideEffect && { sideEffect }),
      });
    },
    onToolCall({ toolName, seq, status }) {
      const toolCallId = calls.get(seq) ?? `call-${seq}`;
      report.heartbeat(undefined);
      report.event({ type: "ToolCallFinished", ...address, toolName, toolCallId, seq, status });
    },
  });
}
