import { randomUUID } from "node:crypto";
import { ownTimeout } from "../../util/own-timers.js";
import { toSent } from "./statement-text.js";
import type { Driver } from "./driver.js";

/** From one announcement of a handle to its next, milliseconds at least. */
const EVERY_MS = 10;
/**
 * Writes of a process that died before it announced them, or of another program, are looked for at the latest
 * after this time, milliseconds.
 */
const UNTOLD_MS = 5_000;

/** Sessions that listen now hear it: there is nothing in it that would have to reach the disk. */
const NOTIFY = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)";

/**
 * Tells the other handles of a database that this one has written, and hears of what they have. An announcement
 * follows the commit, not in its transaction: in there, the commits of all writers would wait for each other.
 */
export class News {
  readonly #driver: Driver;
  readonly #channel: string;
  readonly #id = randomUUID();
  readonly #listeners = new Set<() => void>();
  #token = 0;
  #untold: NodeJS.Timeout | undefined;
  #stop: Promise<() => void> | undefined;
  /** Ends with the announcement that is under way. */
  #announcing: Promise<void> | undefined;
  #isDue = false;
  #isClosed = false;
  #hasten = () => {};
  #pause: NodeJS.Timeout | undefined;

  constructor(driver: Driver, schema: string) {
    this.#driver = driver;
    this.#channel = `treadle ${schema}`;
  }

  /** Other processes are notified soon. */
  announce(): void {
    this.#isDue = true;
    this.#pause?.ref();
    this.#announcing ??= this.#announce().finally(() => {
      this.#announcing = undefined;
    });
  }

  /** A number that changes when others have written, or may have. */
  async token(): Promise<number> {
    this.#stop ??= this.#listen();
    await this.#stop;
    return this.#token;
  }

  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#stop ??= this.#listen();
    this.#stop.catch(() => {});
    return () => this.#listeners.delete(listener);
  }

  /** Others hear of everything that was written. */
  async close(): Promise<void> {
    clearInterval(this.#untold);
    this.#listeners.clear();
    this.#isClosed = true;
    clearTimeout(this.#pause);
    this.#hasten();
    await this.#announcing;
    const stop = await this.#stop?.catch(() => undefined);
    stop?.();
  }

  async #announce(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      const statement = toSent(NOTIFY, [this.#channel, this.#id]);
      // Where it fails, others find what was written a little later.
      await this.#driver.withSession((session) => session.send([statement])).catch(() => {});
      await this.#untilNext();
    }
  }

  /** Not before its time, except for the last one. */
  #untilNext(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#hasten = resolve;
      this.#pause = ownTimeout(resolve, EVERY_MS);
      // Nothing is left to say so far.
      this.#pause.unref();
    });
  }

  async #listen(): Promise<() => void> {
    const tell = () => {
      this.#token += 1;
      for (const listener of this.#listeners) listener();
    };
    const onNews = (writer: string) => {
      if (writer !== this.#id) tell();
    };
    try {
      const stop = await this.#driver.listen(this.#channel, { onNews, onGap: tell });
      this.#untold = setInterval(tell, UNTOLD_MS);
      this.#untold.unref();
      return stop;
    } catch (error) {
      this.#stop = undefined;
      throw error;
    }
  }
}
