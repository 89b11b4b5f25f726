import { ServiceError } from "../../errors/service-error.js";
import type { WriteOutcome } from "../contract.js";
import type { Statement, Work } from "../sql-port.js";
import { isExpected, missed, runAll, touch } from "./statements.js";
import { transaction, write } from "./work.js";

/**
 * One transaction for all members; the first statement of each is its fence. A member that its
 * fence holds back has written nothing and fails alone. When anything else fails, a full disk
 * say, each member tries by itself, so that only what really does not fit fails.
 *
 * @throws DB_BUSY when nothing could be written
 */
export function* writeTogether(members: readonly (readonly Statement[])[]): Work<WriteOutcome[]> {
  if (members.length > 1) {
    try {
      return yield* transaction(() => asOne(members));
    } catch (error) {
      if (ServiceError.is(error, "DB_BUSY") || ServiceError.is(error, "DB_LOST")) throw error;
    }
  }
  const outcomes: WriteOutcome[] = [];
  for (const member of members) outcomes.push(yield* alone(member));
  return outcomes;
}

function* asOne(members: readonly (readonly Statement[])[]): Work<WriteOutcome[]> {
  // Rows of all members go last, table by table: no other statement of a step looks at them.
  const rows = new Map<string, Statement[]>();
  const outcomes: WriteOutcome[] = [];
  for (const member of members) outcomes.push(yield* join(member, rows));
  for (const ofOneText of rows.values()) yield* runAll(ofOneText);
  return outcomes;
}

/** Runs what a member has besides rows, which it leaves in `rows`. Throws where more than its fence has been written. */
function* join(statements: readonly Statement[], rows: Map<string, Statement[]>): Work<WriteOutcome> {
  for (const [index, statement] of statements.entries()) {
    if (statement.isRow === true) {
      const known = rows.get(statement.sql);
      if (known === undefined) rows.set(statement.sql, [statement]);
      else known.push(statement);
      continue;
    }
    const changes = (yield touch(statement)) as number;
    if (isExpected(statement, changes)) continue;
    const error = yield* missed(statement, changes);
    if (index > 0 || changes > 0) throw error;
    return { ok: false, error };
  }
  return { ok: true };
}

function* alone(statements: readonly Statement[]): Work<WriteOutcome> {
  try {
    yield* write(statements);
    return { ok: true };
  } catch (error) {
    return { ok: false, error };
  }
}
