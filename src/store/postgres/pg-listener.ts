import type { Client } from "pg";
import { ownTimeout } from "../../util/own-timers.js";
import type { ChannelListener } from "./driver.js";

/** Pauses before the next attempt at a connection, milliseconds: each twice as long as the one before. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** The connection that listens. It is opened with the first listener, again when it was lost, and keeps no process alive. */
export class PgListener {
  readonly #connect: () => Client;
  readonly #listeners = new Map<string, Set<ChannelListener>>();
  #client: Promise<Client> | undefined;
  #isClosed = false;

  constructor(connect: () => Client) {
    this.#connect = connect;
  }

  async listen(channel: string, listener: ChannelListener): Promise<() => void> {
    const ofChannel = this.#listeners.get(channel) ?? new Set();
    const isNew = ofChannel.size === 0;
    this.#listeners.set(channel, ofChannel.add(listener));
    const isConnected = this.#client !== undefined;
    this.#client ??= this.#open();
    const client = await this.#client;
    if (isConnected && isNew) await client.query(`LISTEN ${quoted(channel)}`);
    return () => void ofChannel.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.then((client) => client.end()).catch(() => {});
  }

  async #open(): Promise<Client> {
    const client = this.#connect();
    const onEnd = () => {
      if (this.#client === undefined || this.#isClosed) return;
      this.#client = undefined;
      this.#reopen(FIRST_PAUSE_MS);
    };
    client.on("error", () => {});
    client.on("notification", ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener.onNews(payload ?? "");
    });
    try {
      await client.connect();
      client.once("end", onEnd);
      for (const channel of this.#listeners.keys()) await client.query(`LISTEN ${quoted(channel)}`);
    } catch (error) {
      this.#client = undefined;
      await client.end().catch(() => {});
      throw error;
    }
    // A process that has nothing else to do ends.
    (client as Client & { unref(): void }).unref();
    return client;
  }

  #reopen(pauseMs: number): void {
    ownTimeout(() => {
      if (this.#isClosed || this.#client !== undefined) return;
      this.#client = this.#open();
      this.#client.then(
        () => this.#tellGap(),
        () => this.#reopen(Math.min(2 * pauseMs, LONGEST_PAUSE_MS)),
      );
    }, pauseMs).unref();
  }

  #tellGap(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.onGap();
  }
}

function quoted(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`;
}
