import type { Client, ClientBase } from "pg";

/** Between two looks at a session that does not work on its statement, milliseconds: its answer may be on the way. */
const LOOK_AGAIN_MS = 1_000;

const IS_AT_WORK = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active'";

/**
 * Ends connections whose other end has vanished without a word: a machine that lost its power, a firewall that forgot.
 * The system itself waits for a quarter of an hour. The server is asked by another connection whether it still works on
 * the statement, so one that takes long is waited for as long as it takes.
 */
export class AnswerWatch {
  readonly #answerMs: number;
  readonly #connect: () => Client;
  /** What the server calls their sessions. */
  readonly #sessions = new WeakMap<ClientBase, number>();

  /**
   * @param answerMs how long to wait for an answer before the server is asked
   * @param connect another connection, which ends by itself where it gets no answers
   */
  constructor(answerMs: number, connect: () => Client) {
    this.#answerMs = answerMs;
    this.#connect = connect;
  }

  know(client: ClientBase, session: number): void {
    this.#sessions.set(client, session);
  }

  /** Statements of the connection are on their way. @returns says that they were answered */
  begin(client: ClientBase): () => void {
    let isAnswered = false;
    let timer: NodeJS.Timeout;
    const look = async () => {
      if ((await this.#isLost(client, () => isAnswered)) && !isAnswered) end(client, this.#answerMs);
      else if (!isAnswered) arm();
    };
    const arm = () => {
      timer = setTimeout(() => void look(), this.#answerMs);
      timer.unref();
    };
    arm();
    return () => {
      isAnswered = true;
      clearTimeout(timer);
    };
  }

  async #isLost(client: ClientBase, isAnswered: () => boolean): Promise<boolean> {
    const session = this.#sessions.get(client);
    if (session === undefined || (await this.#isAtWork(session))) return false;
    await new Promise<void>((resolve) =>
      setTimeout(resolve, Math.min(LOOK_AGAIN_MS, this.#answerMs)).unref(),
    );
    return !isAnswered() && !(await this.#isAtWork(session));
  }

  /** False also where the server cannot be asked. */
  async #isAtWork(session: number): Promise<boolean> {
    const other = this.#connect();
    other.on("error", () => {});
    try {
      await other.connect();
      return (await other.query(IS_AT_WORK, [session])).rows.length > 0;
    } catch {
      return false;
    } finally {
      void other.end().catch(() => {});
    }
  }
}

/** Its statements fail at once. To say goodbye, the driver would wait for their answers. */
function end(client: ClientBase, answerMs: number): void {
  const { connection } = client as ClientBase & {
    connection: { stream: NodeJS.WritableStream & Destroyable };
  };
  connection.stream.destroy(
    new Error(`ETIMEDOUT: no answer for ${answerMs} ms, and the server does not work on the statement`),
  );
}

interface Destroyable {
  destroy(error: Error): void;
}
