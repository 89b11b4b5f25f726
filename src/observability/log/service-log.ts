import {
  asksForLogs,
  type ResolvedObservabilityOptions,
  resolveServiceObservabilityOptions,
} from "../options.js";
import type { Severity } from "./level.js";
import { Logger } from "./logger.js";
import type { LogFields } from "./record.js";

/** The loggers of this process: those that were installed, the newest first, else that of the environment. */
class ServiceLog {
  readonly #installed: Logger[] = [];
  #own: { logger: Logger; from: string } | undefined;
  #isHost = false;

  /** @returns takes it away again */
  install({ logFormat, logLevel }: ResolvedObservabilityOptions): () => void {
    const logger = new Logger({ format: logFormat, level: logLevel });
    this.#installed.unshift(logger);
    return () => {
      const at = this.#installed.indexOf(logger);
      if (at >= 0) this.#installed.splice(at, 1);
    };
  }

  /** A process that hosts runs says what becomes of them; one that only runs some says so when it is asked to. */
  beHost(): void {
    this.#isHost = true;
  }

  /** Logs the events of runs; undefined when logs are not configured, or switched off. */
  get ofRuns(): Logger | undefined {
    const isWanted = this.#installed.length > 0 || this.#isHost || asksForLogs();
    const logger = isWanted ? this.#newest() : undefined;
    return logger?.level === "None" ? undefined : logger;
  }

  /** Logs in any case, as far as the level goes. */
  log(severity: Severity, message: string, fields: LogFields): void {
    this.#newest().log(severity, message, fields);
  }

  #newest(): Logger {
    return this.#installed[0] ?? this.#ofEnvironment();
  }

  /** Made anew when the environment has changed, as in tests. */
  #ofEnvironment(): Logger {
    const from = JSON.stringify([process.env.SERVICE_LOG_FORMAT, process.env.SERVICE_LOG_LEVEL]);
    if (this.#own?.from !== from) {
      const { logFormat: format, logLevel: level } = resolveServiceObservabilityOptions();
      this.#own = { logger: new Logger({ format, level }), from };
    }
    return this.#own.logger;
  }
}

/** Of the process, as stderr is. */
export const serviceLog = new ServiceLog();
