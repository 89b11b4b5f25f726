import { collectSpans } from "../../tracing/tracer.js";
import { serviceLog } from "../log/service-log.js";
import { type ResolvedObservabilityOptions, resolveServiceObservabilityOptions } from "../options.js";
import { OtlpExporter } from "./otlp-exporter.js";

interface Export {
  readonly exporter: OtlpExporter;
  readonly stop: () => void;
  users: number;
}

/** Where spans of this process go. By collector and name: two who ask for the same get one, or each span would arrive twice. */
class SpanExports {
  readonly #open = new Map<string, Export>();
  #hasAskedEnvironment = false;
  #isHooked = false;

  /** @returns ends it, once what waits is sent */
  begin({ endpoint, serviceName }: ResolvedObservabilityOptions): () => Promise<void> {
    const key = JSON.stringify([endpoint, serviceName]);
    const used = this.#open.get(key) ?? this.#start({ endpoint, serviceName });
    this.#open.set(key, used);
    used.users += 1;
    let isUsing = true;
    return async () => {
      if (isUsing) used.users -= 1;
      isUsing = false;
      if (used.users === 0) {
        this.#open.delete(key);
        used.stop();
      }
      await used.exporter.flush({ isLast: true });
    };
  }

  /** For as long as the process lives, if the environment says so; asked once. */
  beginAsEnvironmentSays(): void {
    if (this.#hasAskedEnvironment || !process.env.SERVICE_OTEL_ENABLED) return;
    const resolved = resolveServiceObservabilityOptions();
    this.#hasAskedEnvironment = true;
    if (resolved.enabled) this.begin(resolved);
  }

  #start(about: { endpoint: string; serviceName: string }): Export {
    this.#flushBeforeExit();
    let isSaid = false;
    const exporter = new OtlpExporter({
      ...about,
      onLost(spans, reason) {
        // One that is down would be said so with every batch.
        serviceLog.log(isSaid ? "Debug" : "Warn", "spans were lost", { spans, reason });
        isSaid = true;
      },
    });
    return { exporter, stop: collectSpans(exporter), users: 0 };
  }

  /** A process that has nothing left to do sends what waits; one that calls exit has to flush before. */
  #flushBeforeExit(): void {
    if (this.#isHooked) return;
    this.#isHooked = true;
    process.on("beforeExit", () => {
      for (const { exporter } of this.#open.values()) {
        if (exporter.hasWaiting) void exporter.flush({ isLast: true });
      }
    });
  }
}

/** Of the process, as its spans are. */
export const spanExports = new SpanExports();
