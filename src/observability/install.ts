import { flushSpans } from "../tracing/tracer.js";
import { serviceLog } from "./log/service-log.js";
import {
  type ResolvedObservabilityOptions,
  resolveServiceObservabilityOptions,
  type ServiceObservabilityOptions,
} from "./options.js";
import { spanExports } from "./trace/span-exports.js";

/** Logs and traces of this process, until they are closed. */
export interface InstalledObservability {
  /** Their options. */
  readonly options: ResolvedObservabilityOptions;
  /** Sends the spans that wait; what cannot be sent within seconds is lost. Never rejects. */
  flush(): Promise<void>;
  /** Sends the spans that wait, as flush does, then ends exporting and logging. */
  close(): Promise<void>;
}

/**
 * From now on this process logs its runs to stderr and, when that is enabled, exports their spans. Metrics need
 * none of it. Without it, logs and traces are as the environment says.
 *
 * @throws INVALID_INPUT naming the option or the variable that is not as described
 * @example
 * const observability = installServiceObservability({ enabled: true, serviceName: "billing", logFormat: "json" });
 * process.once("beforeExit", () => observability.close());
 */
export function installServiceObservability(
  options: ServiceObservabilityOptions = {},
): InstalledObservability {
  const resolved = resolveServiceObservabilityOptions(options);
  const stopLogging = resolved.installLogger ? serviceLog.install(resolved) : undefined;
  const stopExporting = resolved.enabled ? spanExports.begin(resolved) : undefined;
  return {
    options: resolved,
    flush: flushSpans,
    async close() {
      // Losses at the end are still to be logged, in this format.
      await stopExporting?.();
      stopLogging?.();
    },
  };
}
