import { runLater } from "../logic/answer.js";
import { runAll } from "../logic/statements.js";
import type { Query, SqlPort, SqlRow, SqlValue, Statement, Work } from "../sql-port.js";
import type { SentStatement, Session, StatementAnswer } from "./driver.js";
import { toSent } from "./statement-text.js";

export class OpenTransaction implements SqlPort {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async all(sql: string, params: readonly SqlValue[]): Promise<SqlRow[]> {
    const [answer] = await this.#send([toSent(sql, params)]);
    return rowsOf(answer as StatementAnswer);
  }

  async snapshot(queries: readonly Pick<Query<unknown>, "sql" | "params">[]): Promise<SqlRow[][]> {
    const answers = await this.#send(queries.map(({ sql, params }) => toSent(sql, params)));
    return answers.map(rowsOf);
  }

  async run(sql: string, ...params: (readonly SqlValue[])[]): Promise<number> {
    const [answer] = await this.#send([toSent(sql, params.flat())]);
    return (answer as StatementAnswer).changes;
  }

  async write(statements: readonly Statement[]): Promise<void> {
    if (statements.some(({ expectRows }) => expectRows !== undefined)) {
      return runLater(this, runAll(statements));
    }
    await this.#send(statements.map(({ sql, params }) => toSent(sql, params)));
  }

  transaction<T>(body: () => Work<T>): Promise<T> {
    return runLater(this, body());
  }

  erase<T>(body: () => Work<T>): Promise<T> {
    return runLater(this, body());
  }

  async #send(statements: readonly SentStatement[]): Promise<readonly StatementAnswer[]> {
    const { answers, error } = await this.#session.send(statements);
    if (error !== undefined) throw error;
    return answers;
  }
}

export function rowsOf({ rows }: StatementAnswer): SqlRow[] {
  return rows;
}
