import type { EventBody } from "../model/events.js";
import { isTracing } from "../tracing/tracer.js";
import { takeTaskFieldsFrom, type LoggedTask } from "./log/task-fields.js";
import { logEvent } from "./log/run-log.js";
import type { Logger } from "./log/logger.js";
import { serviceLog } from "./log/service-log.js";
import { runRecorder } from "./run-recorder.js";
import type { TracedRow } from "./trace/run-tracer.js";
import { spanExports } from "./trace/span-exports.js";
import { runTracer } from "./trace/task-span.js";

/** What happens in runs goes to the metrics and, as far as somebody has asked for it, to the log and the traces. */
export type RunObserver = typeof runRecorder & { onDrive?(run: TracedRow): void };

/**
 * Who watches the runs of this process from now on.
 * @param currentTask the task that its caller runs in
 * @throws INVALID_INPUT for a variable of the environment that is not as described
 */
export function watchRuns(currentTask: () => LoggedTask | undefined): RunObserver {
  takeTaskFieldsFrom(currentTask);
  spanExports.beginAsEnvironmentSays();
  const logger = serviceLog.ofRuns;
  // Most processes only count: nothing is in the way between them and that.
  return logger === undefined && !isTracing() ? runRecorder : observer(logger);
}

function observer(logger: Logger | undefined): RunObserver {
  return {
    ...runRecorder,
    onDrive(run) {
      if (isTracing()) runTracer.begin(run);
    },
    onEvent(body: EventBody, runId: string, timestampMs: number) {
      runRecorder.onEvent(body, runId, timestampMs);
      if (isTracing()) runTracer.onEvent(body, runId, timestampMs);
      if (logger !== undefined) logEvent(logger, body, { runId, atMs: timestampMs });
    },
    onRelease(runId) {
      runRecorder.onRelease(runId);
      runTracer.end(runId);
    },
  };
}
