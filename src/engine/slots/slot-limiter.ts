import { ensureError } from "../../errors/ensure-error.js";
import { parseTaskKey, type TaskKey, taskKey } from "../../model/address.js";
import { isSameLimits, type NamedLimits } from "../../model/named-limit.js";
import {
  type AcquireRequest,
  fileIdentity,
  type Lease,
  onOutsideChange,
  type SlotAnswer,
  type SlotRequest,
  type Store,
} from "../../store/index.js";
import type { Clock } from "../../util/clock.js";
import { isAliveAt } from "../session/lease.js";
import type { TaskCap } from "./task-cap.js";
import { ownImmediate } from "../../util/own-timers.js";

/** How often slots are asked for when other processes may have left one, milliseconds. */
const POLL_MS = 100;
/** As `POLL_MS`, while no process has written: an owner may have died, which writes nothing. */
const POLL_QUIET_MS = 1_000;

/** A run at the limiter. */
export interface SlotClient {
  readonly store: Store;
  readonly lease: Lease;
  /** Limits that its workflow declares. */
  readonly declared: NamedLimits;
  readonly clock: Clock;
  /** Infinity: no other process uses the database. */
  readonly heartbeatMs: number;
  readonly taskCap: TaskCap | undefined;
  onGrant(key: TaskKey, limits: readonly string[]): void;
  onError(error: Error): void;
}

/**
 * Where the runs that this process drives in one database ask for slots: of the
 * limits that the database shares out, and of the host's own cap on tasks.
 *
 * D1  What is asked or left within one turn of the event loop is one question to the database.
 * D2  A task gets the slots of all its limits and of the host together, or none.
 * D3  No ticket is asked again before something has changed; other processes are noticed by a poll,
 *     and only while a ticket waits.
 */
export class SlotLimiter {
  readonly #tickets = new Set<Ticket>();
  #scheduled = false;
  #isAsking = false;
  #askAgain = false;
  /** Who comes first to what room the host has: neither kind of task may keep the other waiting for ever. */
  #isLimitedFirst = false;
  #disarm: (() => void) | null = null;
  /** Looks for what other processes leave, while a task waits for it. */
  #watch: { store: Store; end(): void } | null = null;
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty;
  }

  open(client: SlotClient): SlotTicket {
    const ticket = new Ticket(client, {
      nudge: () => this.nudge(),
      close: () => {
        this.#tickets.delete(ticket);
        if (this.#watch?.store === client.store || !this.#isWaitedAt()) this.#endWatch();
        if (this.#tickets.size > 0) return;
        this.#disarm?.();
        this.#onEmpty();
      },
    });
    this.#tickets.add(ticket);
    return ticket;
  }

  /** Looks whether a waiting ticket can get its slots, once this turn of the event loop is over. */
  nudge(): void {
    if (this.#scheduled || !this.#isWaitedAt()) return;
    this.#scheduled = true;
    ownImmediate(() => {
      this.#scheduled = false;
      void this.#serve();
    });
  }

  #isWaitedAt(): boolean {
    for (const ticket of this.#tickets) if (ticket.isWaiting) return true;
    return false;
  }

  async #serve(): Promise<void> {
    this.#askAgain = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#askAgain) {
      this.#askAgain = false;
      await this.#serveOnce();
    }
    this.#isAsking = false;
  }

  async #serveOnce(): Promise<void> {
    this.#disarm?.();
    this.#disarm = null;
    this.#isLimitedFirst = !this.#isLimitedFirst;
    if (!this.#isLimitedFirst) this.#serveUnlimited();
    await this.#serveLimited();
    if (this.#isLimitedFirst) this.#serveUnlimited();
    if (![...this.#tickets].some((ticket) => ticket.hasWishes)) this.#endWatch();
  }

  /** Tasks that only the host's cap holds back: one of each run in turn. */
  #serveUnlimited(): void {
    for (let isMore = true; isMore; ) {
      isMore = false;
      for (const ticket of [...this.#tickets]) {
        if (!ticket.grantUnlimited()) continue;
        isMore = true;
        this.#tickets.delete(ticket);
        this.#tickets.add(ticket);
      }
    }
  }

  async #serveLimited(): Promise<void> {
    const asking = [...this.#tickets].filter((ticket) => ticket.hasWishes);
    const [first] = asking;
    if (first === undefined) return;
    const { clock, store } = first.client;
    const nowMs = clock.now();
    const owners = new Set([...this.#tickets].map(({ client }) => client.lease.ownerId));
    const isAlive = isAliveAt(nowMs);
    const most = Math.min(...asking.map(({ client }) => client.taskCap?.room ?? Number.POSITIVE_INFINITY));
    // A ticket has to leave first.
    if (most === 0) return;
    const request: SlotRequest = {
      nowMs,
      // A run that is driven here lives, however long its last heartbeat is ago.
      isAlive: (owner) => owners.has(owner.ownerId) || isAlive(owner),
      runs: [...this.#tickets].map((ticket) => ticket.request),
      most,
    };
    try {
      // Before it looks: what others write from then on is news.
      this.#watchOutside(first.client);
      const answer = await store.limits.take(request);
      this.#hand(answer);
      this.#lookLater(answer, clock);
    } catch (error) {
      for (const ticket of asking) ticket.client.onError(ensureError(error));
    }
  }

  #hand({ granted }: SlotAnswer): void {
    for (const { runId, limits, ...place } of granted) {
      const ticket = [...this.#tickets].find(({ client }) => client.lease.runId === runId);
      ticket?.grant(taskKey(place), limits);
    }
  }

  #lookLater({ retryAtMs }: SlotAnswer, clock: Clock): void {
    if (retryAtMs !== null && this.#isWaitedAt())
      this.#disarm = clock.setTimer(retryAtMs, () => this.nudge());
  }

  #watchOutside({ store, clock, heartbeatMs }: SlotClient): void {
    if (this.#watch !== null || heartbeatMs === Number.POSITIVE_INFINITY) return;
    const request = { clock, everyMs: POLL_MS, quietMs: POLL_QUIET_MS };
    this.#watch = { store, end: onOutsideChange(store, request, () => this.nudge()) };
  }

  #endWatch(): void {
    this.#watch?.end();
    this.#watch = null;
  }
}

/** A run's place at the limiter. */
export interface SlotTicket {
  /** A task wants a slot of each limit, in place of what it has asked for before. */
  ask(key: TaskKey, limits: readonly string[]): void;
  /** A task has left what it had; the database knows already. */
  leave(key: TaskKey): void;
  /** The run is not driven here any more. */
  close(): void;
}

/** The part of the limiter that a ticket uses. */
interface SlotPort {
  nudge(): void;
  close(): void;
}

class Ticket implements SlotTicket {
  readonly client: SlotClient;
  readonly #port: SlotPort;
  readonly #acquires = new Map<TaskKey, readonly string[]>();
  /**
   * Slots that tasks were given and have not left; they count for the host's cap. A new wish waits until then: a task that
   * leaves, leaves every slot of its task.
   */
  readonly #given = new Map<TaskKey, readonly string[]>();
  readonly #unsubscribe: (() => void) | undefined;

  constructor(client: SlotClient, port: SlotPort) {
    this.client = client;
    this.#port = port;
    this.#unsubscribe = client.taskCap?.onRoom(() => port.nudge());
  }

  ask(key: TaskKey, limits: readonly string[]): void {
    this.#acquires.delete(key);
    const given = this.#given.get(key);
    // The run is about to be notified.
    if (given !== undefined && isSameLimits(given, limits)) return;
    this.#acquires.set(key, limits);
    this.#port.nudge();
  }

  leave(key: TaskKey): void {
    if (this.#given.delete(key)) this.client.taskCap?.leave();
    this.#port.nudge();
  }

  close(): void {
    this.#unsubscribe?.();
    this.#acquires.clear();
    for (const key of this.#given.keys()) this.leave(key);
    this.#port.close();
    this.#port.nudge();
  }

  get isWaiting(): boolean {
    return this.#acquires.size > 0;
  }

  /** Something that the database shares out. */
  get hasWishes(): boolean {
    for (const [key, limits] of this.#acquires) if (limits.length > 0 && !this.#given.has(key)) return true;
    return false;
  }

  get request(): SlotRequest["runs"][number] {
    const { lease, declared } = this.client;
    const acquires = new Map<
      string,
      { limits: readonly string[]; nodes: AcquireRequest["nodes"][number][] }
    >();
    for (const [key, limits] of this.#acquires) {
      if (limits.length === 0 || this.#given.has(key)) continue;
      const set = JSON.stringify(limits);
      const acquire = acquires.get(set) ?? { limits, nodes: [] };
      acquire.nodes.push(parseTaskKey(key));
      acquires.set(set, acquire);
    }
    return { lease, declared, acquires: [...acquires.values()] };
  }

  /** The first task that only the host's cap holds back continues, if there is one and room. */
  grantUnlimited(): boolean {
    if ((this.client.taskCap?.room ?? 0) === 0) return false;
    for (const [key, limits] of this.#acquires) {
      if (limits.length > 0 || this.#given.has(key)) continue;
      this.grant(key, limits);
      return true;
    }
    return false;
  }

  grant(key: TaskKey, limits: readonly string[]): void {
    const acquire = this.#acquires.get(key);
    // The task may have asked for something else since the database was asked.
    if (acquire !== undefined && isSameLimits(acquire, limits)) this.#acquires.delete(key);
    this.#given.set(key, limits);
    this.client.taskCap?.take();
    this.client.onGrant(key, limits);
  }
}

/** Workflows of one file have a handle each and wait at one limiter. */
const limiters = new Map<unknown, SlotLimiter>();

export function slotLimiterOf(store: Store): SlotLimiter {
  const database = fileIdentity(store);
  let port = limiters.get(database);
  if (port === undefined) {
    port = new SlotLimiter(() => limiters.delete(database));
    limiters.set(database, port);
  }
  return port;
}
