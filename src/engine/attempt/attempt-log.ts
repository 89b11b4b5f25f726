import { secretsOfEnvironment } from "../../util/environment-secrets.js";
import { createRedactor, type Redactor } from "../../util/redactor.js";
import type { AttemptJob, AttemptVoice } from "../ports.js";
import { RUN_DEFAULTS } from "../../model/run-config.js";

type LoggedAttempt = Pick<AttemptJob, "nodeId" | "iteration" | "attempt" | "config">;
type Stream = "stdout" | "stderr";

/**
 * Output of one attempt's own code, on its way to the run's log. Secrets
 * that the environment names as such stay out, and what looks like a credential. The report cuts what is too much.
 */
export class AttemptLog {
  readonly #job: LoggedAttempt;
  readonly #report: Pick<AttemptVoice, "event">;
  readonly #most: number;
  #redactor: Redactor | null = null;
  #length = 0;

  constructor(job: LoggedAttempt, report: Pick<AttemptVoice, "event">) {
    this.#job = job;
    this.#report = report;
    this.#most = job.config.maxOutputBytes ?? RUN_DEFAULTS.maxOutputBytes;
  }

  /** A line of `log()`. */
  write(message: string): void {
    this.#say({ text: `${message}\n`, stream: "stdout" });
  }

  /** Takes console output. It has been printed already, so its text is made only while there is room for it. */
  heard(stream: Stream, text: () => string): void {
    if (this.#length <= this.#most) this.#say({ text: text(), stream, source: "console" });
  }

  #say({ text, ...origin }: { text: string; stream: Stream; source?: "console" }): void {
    this.#length += text.length;
    this.#redactor ??= createRedactor(secretsOfEnvironment(process.env));
    const { nodeId, iteration, attempt } = this.#job;
    // Enough for the report to see that it is too long.
    const clean = this.#redactor.diagnostic(text.slice(0, this.#most + 1));
    this.#report.event({ type: "NodeOutput", nodeId, iteration, attempt, text: clean, ...origin });
  }
}
