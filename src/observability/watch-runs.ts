import { serviceMetrics } from "../metrics/catalog.js";
import type { EventBody } from "../model/events.js";
import { isTracing } from "../tracing/tracer.js";
import { takeTaskFieldsFrom, type LoggedTask } from "./log/task-fields.js";
import { logEvent } from "./log/run-log.js";
import { serviceLog } from "./log/service-log.js";
import { type RunHolder, runKey } from "./run-key.js";
import { runRecorder, type LeftRun } from "./run-recorder.js";
import type { TracedResume } from "./trace/run-tracer.js";
import type { TracedRow } from "./trace/run-contexts.js";
import { spanExports } from "./trace/span-exports.js";
import { runTracer } from "./trace/task-span.js";

/** Events of runs go to the metrics and, as far as they are configured, to the log and the traces. */
export interface RunObserver {
  onDrive(run: TracedRow): void;
  onResume(stored: LeftRun & TracedResume): void;
  onEvent(body: EventBody, runId: string, timestampMs: number): void;
  onSnapshot(tookMs: number): void;
  onTurn(runId: string, load: Parameters<typeof runRecorder.onTurn>[1]): void;
  onRelease(runId: string): void;
}

/**
 * Who watches the runs of a database in this process from now on.
 * @param currentTask the task that its caller runs in
 * @throws INVALID_INPUT for a variable of the environment that is not as described
 */
export function watchRuns(holder: RunHolder, currentTask: () => LoggedTask | undefined): RunObserver {
  takeTaskFieldsFrom(currentTask);
  spanExports.beginAsEnvironmentSays();
  const logger = serviceLog.ofRuns;
  const keyOf = (runId: string) => runKey(holder, runId);
  return {
    onDrive(run) {
      if (isTracing()) runTracer.begin(run, keyOf(run.runId));
    },
    onResume(stored) {
      const key = keyOf(stored.run.runId);
      runRecorder.onResume(stored, key);
      if (isTracing()) runTracer.resume(stored, key);
    },
    onEvent(body, runId, timestampMs) {
      const key = keyOf(runId);
      runRecorder.onEvent(body, key, timestampMs);
      if (isTracing()) runTracer.onEvent(body, key, timestampMs);
      if (logger !== undefined) logEvent(logger, body, { runId, atMs: timestampMs });
    },
    onSnapshot(tookMs) {
      serviceMetrics.snapshotsCaptured.add();
      serviceMetrics.snapshotDurationMs.observe(tookMs);
    },
    onTurn(runId, load) {
      runRecorder.onTurn(keyOf(runId), load);
    },
    onRelease(runId) {
      const key = keyOf(runId);
      runRecorder.onRelease(key);
      runTracer.end(key);
    },
  };
}
