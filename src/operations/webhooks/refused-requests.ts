import type { SentError } from "../remedies/client-error.js";
import type { WebhookRefusal } from "../../model/webhook-delivery.js";
import type { Store } from "../../store/index.js";
import { shorten } from "../../util/bounded-text.js";
import type { Clock } from "../../util/clock.js";

const MINUTE_MS = 60_000;
/** How often a webhook's refusals are written, milliseconds: no sender has the database written faster. */
const EVERY_MS = 1_000;
const LONGEST_MESSAGE = 300;

interface Pending {
  store: Store;
  clock: Clock;
  /** By code. */
  refusals: Map<string, WebhookRefusal>;
}

/**
 * Keeps which requests to webhooks were refused, and why; nothing of what they carried, since anyone may send them.
 *
 * Invariant: memory and rows are bounded by the number of webhooks and codes, not by the number of requests.
 */
export class RefusedRequests {
  readonly #onFailure: (error: unknown) => void;
  readonly #pending = new Map<string, Pending>();
  /** Webhooks that are written to when their second is over. */
  readonly #resting = new Map<string, () => void>();

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** @param isSigned whether its signature was right */
  note(
    at: { store: Store; clock: Clock; webhookKey: string },
    { code, message }: Pick<SentError, "code" | "message">,
    isSigned: boolean,
  ): void {
    const { store, clock, webhookKey } = at;
    const nowMs = clock.now();
    const sinceMs = nowMs - (nowMs % MINUTE_MS);
    const pending = this.#pending.get(webhookKey) ?? { store, clock, refusals: new Map() };
    this.#pending.set(webhookKey, pending);
    const before = pending.refusals.get(code);
    pending.refusals.set(code, {
      webhookKey,
      code,
      sinceMs: before?.sinceMs ?? sinceMs,
      refusedAtMs: nowMs,
      requests: (before?.requests ?? 0) + 1,
      message: shorten(message, LONGEST_MESSAGE),
      isSigned,
    });
    if (!this.#resting.has(webhookKey)) this.#write(webhookKey);
  }

  /** Writes what is pending. */
  close(): void {
    for (const disarm of this.#resting.values()) disarm();
    for (const webhookKey of this.#pending.keys()) void this.#flush(webhookKey);
  }

  #write(webhookKey: string): void {
    const { clock } = this.#pending.get(webhookKey) ?? {};
    if (clock === undefined) return;
    const disarm = clock.setDelay(EVERY_MS, () => {
      this.#resting.delete(webhookKey);
      this.#write(webhookKey);
    });
    this.#resting.set(webhookKey, disarm);
    void this.#flush(webhookKey);
  }

  /** Never rejects. */
  async #flush(webhookKey: string): Promise<void> {
    const pending = this.#pending.get(webhookKey);
    this.#pending.delete(webhookKey);
    try {
      for (const refusal of pending?.refusals.values() ?? []) await pending?.store.deliveries.refuse(refusal);
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
