import type { OpenScore, ScoreOutcome } from "../ports.js";
import { type TaskKey, taskKey, type TaskPlace } from "../../model/address.js";
import type { Clock } from "../../util/clock.js";
import { type Deferred, deferred } from "../../util/deferred.js";
import { RUN_DEFAULTS } from "../../model/run-config.js";
import { scorerFailed } from "../../scorers/run-scorer.js";
import { limitScorer, type ScorerLimit } from "../../scorers/scorer-limit.js";

/** Scorers of one run that work at once: a judge behind each of a thousand tasks must not be asked a thousand times in a second. */
const MOST_AT_ONCE = 16;

export interface ScoreQueueContext {
  readonly clock: Clock;
  /** How long a scorer may take, and how long a run that has nothing else to do waits for all of them, milliseconds. */
  readonly limitMs: number | undefined;
  ask(score: OpenScore, signal: AbortSignal): Promise<ScoreOutcome>;
  onStarted(score: OpenScore): void;
  /** Called once for each score that has been begun, in a later turn; for the others when the run waits no more. */
  onEnded(score: OpenScore, outcome: ScoreOutcome): void;
}

/**
 * The scores of a run that are sampled and have not ended.
 *
 * D1  A score counts from the turn that samples it, so the run does not end without it.
 * D2  Scorers start once that turn is durable, and never before the tasks that it starts.
 * D3  Whatever a scorer does, each score ends once: by its answer, by its own limit, or
 *     because the run has nothing else to do for as long as that limit.
 */
export class ScoreQueue {
  readonly #context: ScoreQueueContext;
  readonly #open = new Map<string, OpenScore>();
  /** Those of the turn that is being committed. */
  readonly #ending = new Map<string, OpenScore>();
  /** Who waits for all scores of a node. */
  readonly #waiting = new Map<TaskKey, Deferred<void>>();
  #queue: OpenScore[] = [];
  readonly #working = new Map<string, ScorerLimit>();
  /** Set while the run waits for its scores only. */
  #disarmRest: (() => void) | null = null;

  constructor(context: ScoreQueueContext) {
    this.#context = context;
  }

  get open(): Iterable<OpenScore> {
    return this.#open.values();
  }

  /** A turn has sampled it. */
  add(score: OpenScore): void {
    this.#open.set(score.row.id, score);
  }

  /** The turn is durable that has sampled these, and has taken note of some that have ended. */
  afterCommit(sampled: readonly OpenScore[]): void {
    this.#ending.clear();
    for (const [key, waiting] of this.#waiting) {
      if (this.#isAwaited(key)) continue;
      this.#waiting.delete(key);
      waiting.resolve();
    }
    for (const score of sampled) if (this.#open.has(score.row.id)) this.#queue.push(score);
    this.#startNext();
  }

  /** A turn takes note of how it has ended. False when it had ended before. */
  end(score: OpenScore): boolean {
    const { id } = score.row;
    if (!this.#open.delete(id)) return false;
    this.#ending.set(id, score);
    this.#stopWork(id);
    return true;
  }

  /** As `end`, of a score that nothing waits for any more: its scorer is aborted. */
  drop(score: OpenScore, reason: Error): void {
    const limit = this.#working.get(score.row.id);
    this.end(score);
    limit?.abort(reason);
  }

  /** Once all scores of this node have ended, and it is durable how. Rejects when this process releases them. */
  async whenScored(place: TaskPlace): Promise<void> {
    const key = taskKey(place);
    if (!this.#isAwaited(key)) return;
    const waiting = this.#waiting.get(key) ?? deferred<void>();
    this.#waiting.set(key, waiting);
    return waiting.promise;
  }

  /** The run is kept from its end, and from being released, until they have ended. */
  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Whether the run has nothing to do but wait for its scores, as a turn has left it. */
  setResting(isResting: boolean): void {
    if (!isResting || this.isEmpty) {
      this.#disarmRest?.();
      this.#disarmRest = null;
    } else {
      this.#disarmRest ??= this.#context.clock.setDelay(this.#limitMs, () => this.#giveUpAll());
    }
  }

  /** This process works on none of them any more: the process that continues with the run asks the scorers again. */
  release(reason: Error): void {
    this.#queue = [];
    this.setResting(false);
    for (const [id, limit] of this.#working) {
      this.#stopWork(id);
      limit.abort(reason);
    }
    for (const waiting of this.#waiting.values()) waiting.reject(reason);
    this.#waiting.clear();
  }

  #isAwaited(key: TaskKey): boolean {
    for (const scores of [this.#open, this.#ending])
      for (const { row } of scores.values()) if (taskKey(row) === key) return true;
    return false;
  }

  #startNext(): void {
    for (const score of this.#queue.splice(0, MOST_AT_ONCE - this.#working.size)) this.#start(score);
  }

  #start(score: OpenScore): void {
    const { clock, ask, onStarted } = this.#context;
    const limitMs = this.#limitMs;
    const limit = limitScorer(
      { id: score.row.scorerId },
      {
        clock,
        limitMs,
        onLate: (error) => this.#complete(score, { kind: "failed", error, durationMs: limitMs }),
      },
    );
    this.#working.set(score.row.id, limit);
    onStarted(score);
    void ask(score, limit.signal).then((outcome) => this.#complete(score, outcome));
  }

  #complete(score: OpenScore, outcome: ScoreOutcome): void {
    if (!this.#stopWork(score.row.id)) return;
    this.#context.onEnded(score, outcome);
    this.#startNext();
  }

  #stopWork(id: string): boolean {
    this.#working.get(id)?.disarm();
    return this.#working.delete(id);
  }

  /** Those in line as well: the run has waited for all of them together. */
  #giveUpAll(): void {
    this.#queue = [];
    for (const score of this.#open.values()) {
      const limit = this.#working.get(score.row.id);
      const error = scorerFailed(
        { id: score.row.scorerId },
        `did not answer in the ${this.#limitMs} ms that the run waited for its scores`,
      );
      this.#stopWork(score.row.id);
      this.#context.onEnded(score, { kind: "failed", error, durationMs: null });
      limit?.abort(error);
    }
  }

  get #limitMs(): number {
    return this.#context.limitMs ?? RUN_DEFAULTS.scorerTimeoutMs;
  }
}
