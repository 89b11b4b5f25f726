import { ServiceError } from "../../errors/service-error.js";
import type { WriteOutcome } from "../contract.js";
import type { Query, Statement, Work } from "../sql-port.js";
import { write } from "./work.js";

/** Writes that belong together, and the receiver of their outcome. */
interface Member {
  readonly at: number;
  readonly statements: readonly Statement[];
}

/**
 * One transaction for all members; the first statement of each is its fence. Where one is held back by its fence,
 * the others are written without it. When anything else fails, a full disk say, each member tries by itself, so
 * that only what really does not fit fails.
 *
 * @throws DB_BUSY and others when nothing could be written
 */
export function* writeTogether(members: readonly (readonly Statement[])[]): Work<WriteOutcome[]> {
  const outcomes: WriteOutcome[] = members.map(() => ({ ok: true }));
  let left: readonly Member[] = members.map((statements, at) => ({ at, statements }));
  while (left.length > 1) {
    let refused: Member | undefined;
    const onRefusal = (member: Member) => {
      refused = member;
    };
    try {
      yield* write(asOne(left, onRefusal));
      return outcomes;
    } catch (error) {
      if (refused === undefined) {
        if (KEPT_ALL.some((code) => ServiceError.is(error, code))) throw error;
        break;
      }
      const { at } = refused;
      outcomes[at] = { ok: false, error };
      left = left.filter((member) => member.at !== at);
    }
  }
  for (const { at, statements } of left) outcomes[at] = yield* alone(statements);
  return outcomes;
}

/** Errors that each member would meet by itself as well. */
const KEPT_ALL = ["DB_BUSY", "DB_LOST", "DB_CONNECTION_LOST"] as const;

/** Rows of all members go last, table by table: no other statement of a step looks at them. */
function asOne(members: readonly Member[], onRefusal: (member: Member) => void): Statement[] {
  const statements: Statement[] = [];
  const rows = new Map<string, Statement[]>();
  for (const member of members) {
    for (const [index, statement] of member.statements.entries()) {
      if (statement.isRow !== true) {
        statements.push(index === 0 ? fenced(statement, () => onRefusal(member)) : statement);
        continue;
      }
      const known = rows.get(statement.sql);
      if (known === undefined) rows.set(statement.sql, [statement]);
      else known.push(statement);
    }
  }
  return [...statements, ...[...rows.values()].flat()];
}

/** The statement, which says that it has missed. */
function fenced(statement: Statement, onRefusal: () => void): Statement {
  const { onMiss } = statement;
  if (onMiss === undefined) return statement;
  const noted = (): Error | Query<Error> => {
    onRefusal();
    return onMiss();
  };
  return { ...statement, onMiss: noted };
}

function* alone(statements: readonly Statement[]): Work<WriteOutcome> {
  try {
    yield* write(statements);
    return { ok: true };
  } catch (error) {
    return { ok: false, error };
  }
}
