import { expect, it } from "vitest";
import type { Driver, Session } from "../../../src/store/postgres/driver.js";
import { PostgresPort } from "../../../src/store/postgres/port.js";

const full = Object.assign(new Error("could not write to file"), { code: "53100", severity: "PANIC" });

/** A server that goes down at a commit, having been told so much of the transaction before. */
function crashing(done: number): { port: PostgresPort; sent: string[] } {
  const sent: string[] = [];
  const session: Session = {
    async send(statements) {
      sent.push(...statements.map(({ text }) => text));
      return statements.some(({ text }) => text === "COMMIT")
        ? { answers: [], error: full }
        : { answers: statements.map(() => ({ columns: [], rows: [], changes: 0 })) };
    },
    transact: async () => ({ done, error: full }),
  };
  const driver: Driver = {
    withSession: (body) => body(session),
    listen: async () => () => {},
    close: async () => {},
  };
  const port = new PostgresPort(driver, { path: "server", waitMs: 1_000, readOnly: false }, () => {});
  return { port, sent };
}

const statement = { sql: "DELETE FROM runs", params: [] };

it("of a commit with which the server goes down it is not known whether it is there", async () => {
  await expect(crashing(1).port.write([statement])).rejects.toMatchObject({
    code: "DB_WRITE_FAILED",
    details: { outcome: "unknown" },
  });
  const { port, sent } = crashing(1);
  await expect(port.transaction(function* nothing() {})).rejects.toMatchObject({
    code: "DB_WRITE_FAILED",
    details: { outcome: "unknown" },
  });
  expect(sent).not.toContain("ROLLBACK");
});

it("a transaction in whose middle the server goes down is not there", async () => {
  await expect(crashing(0).port.write([statement])).rejects.toMatchObject({
    code: "DB_WRITE_FAILED",
    details: { outcome: "not-written" },
  });
});
