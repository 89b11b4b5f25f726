import { serviceMetrics as m } from "../metrics/catalog.js";

interface OpenNode {
  /** Start of its first attempt in this process, epoch ms. */
  readonly firstMs: number;
  /** Start of the attempt in progress; null between attempts. */
  attemptMs: number | null;
}

/** How busy a run is: nodes that wait for a slot, attempts in progress, slots. */
export interface Load {
  readonly queued: number;
  readonly running: number;
  readonly slots: number;
}

/** The open attempts and questions of a run that this process drives, with their start. */
export class OpenRun {
  /** As of its last turn; null when it has none here. */
  load: Load | null = null;
  /** This process drives it. */
  #driven = false;
  #over = false;
  /** Epoch ms; null when this process has not seen the start. */
  #startedMs: number | null = null;
  readonly #nodes = new Map<string, OpenNode>();
  /** Nodes that ask, each since when, epoch ms. */
  readonly #questions = new Map<string, number>();
  /** The node whose attempt has just failed: the next event says whether another attempt follows. */
  #failed: { key: string; atMs: number } | null = null;

  get isDriven(): boolean {
    return this.#driven;
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** A process began to drive it. */
  drive(startedMs: number): void {
    if (!this.#driven) m.runsActive.add(1);
    this.#driven = true;
    this.#startedMs ??= startedMs;
  }

  /** This process drives it no longer, or it waits. */
  suspend(): void {
    if (this.#driven) m.runsActive.add(-1);
    this.#driven = false;
    this.completeFailure();
    for (const node of this.#nodes.values()) if (node.attemptMs !== null) m.nodesActive.add(-1);
    this.#nodes.clear();
  }

  /** It is over. */
  end(atMs: number): void {
    if (this.#startedMs !== null) m.runDurationMs.observe(atMs - this.#startedMs);
    this.#over = true;
    this.suspend();
  }

  /** Begins anew with what the database says; its questions follow. */
  adopt(startedMs: number | null): void {
    this.suspend();
    this.#questions.clear();
    this.#startedMs = startedMs;
  }

  startAttempt(key: string, atMs: number): void {
    const node = this.#nodes.get(key);
    if (node?.attemptMs == null) m.nodesActive.add(1);
    if (node === undefined) this.#nodes.set(key, { firstMs: atMs, attemptMs: atMs });
    else node.attemptMs = atMs;
  }

  /** The attempt is over and the node is not. */
  endAttempt(key: string, atMs: number): void {
    const node = this.#nodes.get(key);
    if (node !== undefined) this.#endAttempt(node, atMs);
  }

  /** The attempt was taken away from the node and does not count. */
  interruptAttempt(key: string): void {
    const node = this.#nodes.get(key);
    if (node?.attemptMs != null) this.#close(node);
  }

  /** The attempt failed. Whether the node did depends on what comes next. */
  failAttempt(key: string, atMs: number): void {
    this.endAttempt(key, atMs);
    if (this.#nodes.has(key)) this.#failed = { key, atMs };
  }

  /** `key` names the node whose attempt is tried again, if the event at hand says so. */
  completeFailure(key?: string): void {
    const failed = this.#failed;
    if (failed === null) return;
    this.#failed = null;
    if (failed.key !== key) this.endNode(failed.key, failed.atMs);
  }

  /** The node, and its attempt if there is one, is over. */
  endNode(key: string, atMs: number): void {
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    this.#endAttempt(node, atMs);
    m.nodeDurationMs.observe(atMs - node.firstMs);
    this.#nodes.delete(key);
  }

  ask(key: string, sinceMs: number): void {
    this.#questions.set(key, sinceMs);
  }

  /** @returns since when the node had asked, epoch ms; undefined when it did not */
  answer(key: string): number | undefined {
    const sinceMs = this.#questions.get(key);
    this.#questions.delete(key);
    return sinceMs;
  }

  #endAttempt(node: OpenNode, atMs: number): void {
    if (node.attemptMs === null) return;
    m.attemptDurationMs.observe(atMs - node.attemptMs);
    this.#close(node);
  }

  #close(node: OpenNode): void {
    node.attemptMs = null;
    m.nodesActive.add(-1);
  }
}
