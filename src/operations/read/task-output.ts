import { LiveText, type TextPiece } from "../../engine/index.js";
import { ensureError } from "../../errors/ensure-error.js";
import type { RunEvent } from "../../model/events.js";
import type { ServiceDb } from "../../store/index.js";
import { type Deferred, deferred } from "../../util/deferred.js";
import { Nudge } from "../../util/nudge.js";
import type { FeedRequest, RunFeeds } from "./run-feeds.js";

export type OutputEvent = Extract<RunEvent, { type: "NodeOutput" }>;

/** Text of a task: kept, under the number of its event, or on its way to be. */
export type TaskText =
  | { kind: "output"; seq: number; output: OutputEvent }
  | { kind: "delta"; delta: TextPiece };

export interface OutputRequest extends FeedRequest {
  /** Only of this node. @default all */
  nodeId?: string | undefined;
}

/** Characters of deltas that wait for a slow reader; what comes then is dropped. */
const MOST_WAITING = 65_536;

/**
 * Output of a run's tasks and agents, in order, until the run has ended: everything that the log
 * has, and pieces of what agents are writing before it gets there. A slow reader misses pieces, never
 * anything of the log.
 * @throws RUN_NOT_FOUND, and what keeps the events from being read
 */
export async function* taskOutput(
  feeds: RunFeeds,
  db: ServiceDb,
  request: OutputRequest,
): AsyncGenerator<TaskText, void> {
  const { runId, nodeId, signal } = request;
  const stop = new AbortController();
  const pieces = new WaitingPieces();
  const news = new Nudge();
  let page: { items: TaskText[]; taken: Deferred<void> } | undefined;
  let end: { error?: Error } | undefined;
  const forget = LiveText.shared.listen(db.store, runId, (piece) => {
    if (nodeId !== undefined && piece.nodeId !== nodeId) return;
    pieces.add(piece);
    news.nudge();
  });
  const pump = async () => {
    for await (const items of feeds.read(db, {
      ...request,
      signal: AbortSignal.any([signal, stop.signal]),
    })) {
      const wanted = items.filter(
        (item) => item.type === "NodeOutput" && (nodeId === undefined || item.nodeId === nodeId),
      );
      if (wanted.length === 0) continue;
      const texts = wanted.map(
        ({ seq, json }): TaskText => ({ kind: "output", seq, output: JSON.parse(json) as OutputEvent }),
      );
      page = { items: texts, taken: deferred() };
      news.nudge();
      await page.taken.promise;
    }
  };
  void pump()
    .then(() => {
      end = {};
    })
    .catch((error: unknown) => {
      end = { error: ensureError(error) };
    })
    .finally(() => news.nudge());
  try {
    for (;;) {
      for (const delta of pieces.take()) yield { kind: "delta", delta };
      const ready = page;
      page = undefined;
      for (const item of ready?.items ?? []) yield item;
      ready?.taken.resolve();
      if (ready !== undefined || !pieces.isEmpty) continue;
      if (end?.error !== undefined) throw end.error;
      if (end !== undefined || signal.aborted) return;
      await news.next(signal);
    }
  } finally {
    forget();
    stop.abort();
    page?.taken.resolve();
  }
}

/** Pieces that a reader has not taken yet; those of one attempt that follow each other are one. */
class WaitingPieces {
  #pieces: TextPiece[] = [];
  #size = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  add(piece: TextPiece): void {
    if (this.#size + piece.text.length > MOST_WAITING) return;
    this.#size += piece.text.length;
    const last = this.#pieces.at(-1);
    const isMore =
      last?.nodeId === piece.nodeId && last.iteration === piece.iteration && last.attempt === piece.attempt;
    if (isMore) last.text += piece.text;
    else this.#pieces.push({ ...piece });
  }

  take(): TextPiece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#size = 0;
    return pieces;
  }
}
