import { setTimeout as sleep } from "node:timers/promises";
import { ensureError } from "../../errors/ensure-error.js";
import { readVersion } from "../../process/installation.js";
import type { AttributeValue, Span } from "../../tracing/span.js";
import { secretsOfEnvironment } from "../../util/environment-secrets.js";
import { createRedactor } from "../../util/redactor.js";
import { exportHeaders, resourceAttributes } from "./key-value-list.js";
import { type Resource, traceRequest } from "./otlp-json.js";

export interface OtlpExporterOptions {
  /** Base URL of the collector. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** Notified of spans that were lost, and why. */
  onLost(spans: number, reason: string): void;
}

/** Spans that wait for their export; what comes when there are more is lost. */
const MOST_WAITING = 2_048;
/** Spans of one request. */
const BATCH = 512;
/** Milliseconds between the first span that waits and its export. */
const DELAY_MS = 5_000;
/** How long a collector may take to answer, milliseconds; at the end of the process, it is in all that it may take. */
const TIMEOUT_MS = 10_000;
const LAST_TIMEOUT_MS = 2_000;

/** Of a collector that is busy, or restarts: the same request may be taken later. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Before the second try where the collector does not say how long to wait, milliseconds; each further wait is twice as long. */
const FIRST_PAUSE_MS = 250;

/** Sends spans to a collector: in batches, some seconds late, never in the way of what they are about. */
export class OtlpExporter {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #resource: Resource;
  readonly #onLost: OtlpExporterOptions["onLost"];
  readonly #redactor = createRedactor(secretsOfEnvironment(process.env));
  #waiting: Span[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  /** Ends the requests that are under way. */
  #cut = new AbortController();

  /** @throws INVALID_INPUT for a variable of the environment that is not as described */
  constructor({ endpoint, serviceName, onLost }: OtlpExporterOptions) {
    this.#url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
    this.#headers = {
      "content-type": "application/json",
      ...exportHeaders(),
    };
    this.#resource = new Map<string, AttributeValue>([
      ...Object.entries(resourceAttributes()),
      ["service.name", serviceName],
      ["process.pid", process.pid],
    ]);
    this.#onLost = onLost;
  }

  add(span: Span): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length === BATCH) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), DELAY_MS).unref();
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0 || this.#lost > 0;
  }

  /** Resolves once everything that waits has been sent or lost. Never rejects. */
  flush({ isLast = false } = {}): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const timeout = AbortSignal.timeout(isLast ? LAST_TIMEOUT_MS : TIMEOUT_MS);
    if (isLast) {
      const before = this.#cut;
      this.#cut = new AbortController();
      timeout.addEventListener("abort", () => before.abort(timeout.reason), { once: true });
    }
    const deadline = AbortSignal.any([timeout, this.#cut.signal]);
    this.#sending = this.#sending.then(() => this.#sendAll(deadline));
    return this.#sending;
  }

  async #sendAll(deadline: AbortSignal): Promise<void> {
    if (this.#lost > 0) this.#onLost(this.#lost, `more than ${MOST_WAITING} were waiting`);
    this.#lost = 0;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      const failure = await this.#sendUntil(deadline, batch);
      this.#waiting = this.#waiting.slice(batch.length);
      if (failure !== undefined) this.#onLost(batch.length, failure);
    }
  }

  /** Tries again while the collector only asks for patience. @returns what kept the batch from arriving */
  async #sendUntil(deadline: AbortSignal, batch: readonly Span[]): Promise<string | undefined> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      const refusal = await this.#send(batch, deadline);
      if (typeof refusal !== "object") return refusal;
      try {
        await sleep(refusal.afterMs ?? pauseMs, undefined, { signal: deadline });
      } catch {
        return refusal.reason;
      }
    }
  }

  /** The reason why the batch did not arrive; an object where it may arrive later. */
  async #send(batch: readonly Span[], signal: AbortSignal): Promise<Refusal | string | undefined> {
    try {
      const { diagnostic: text, text: name } = this.#redactor;
      const clean = { text, name };
      const body = JSON.stringify(
        traceRequest(batch, { resource: this.#resource, version: readVersion(), clean }),
      );
      const response = await fetch(this.#url, {
        method: "POST",
        headers: this.#headers,
        body,
        signal,
        // One that is followed may lose its body, and takes the headers to another host.
        redirect: "manual",
      });
      // Its connection is free for the next one only when this has been read.
      await response.arrayBuffer();
      if (response.ok) return undefined;
      const reason = `${this.#url} answered ${response.status}`;
      if (!PASSING.has(response.status)) return reason;
      return { reason, afterMs: retryAfterMs(response.headers.get("retry-after")) };
    } catch (error) {
      const { message, cause } = ensureError(error);
      return `${this.#url}: ${cause instanceof Error && cause.message !== "" ? cause.message : message}`;
    }
  }
}

/** A batch that the collector may take later. */
interface Refusal {
  reason: string;
  /** As the collector asks for it; undefined where it does not say. */
  afterMs: number | undefined;
}

/** Seconds, or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), TIMEOUT_MS) : undefined;
}
