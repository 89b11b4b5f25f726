import { join } from "node:path";
import { DATABASE_FILE, databaseAt, databaseName, findWorkspaceFolder } from "../../store/index.js";
import { shellWord } from "../../util/shell-word.js";
import type { GlobalOptions } from "../command.js";
import type { Terminal } from "../terminal.js";

/** The call that a command is to follow. */
export interface FollowedCall {
  readonly options: Pick<GlobalOptions, "db" | "gateway">;
  readonly terminal: Pick<Terminal, "runner" | "cwd" | "environment">;
}

/** They are about no run. */
const PLACELESS = /^treadle (?:help|init|trust)\b/;

/**
 * Follow-up commands as a person can paste them: begun as this call was, and looking at the same place. Credentials
 * are never part of them; the file that holds a token is.
 */
export function createCommandText({ options, terminal }: FollowedCall): (command: string) => string {
  const flag = placeFlag(options, terminal);
  return (command) => {
    const isAsItIs = flag === undefined || PLACELESS.test(command);
    // Nothing is an option behind `--`.
    const placed = isAsItIs
      ? command
      : command.includes(" -- ")
        ? command.replace(/^treadle/, () => `treadle ${flag}`)
        : `${command} ${flag}`;
    return placed.replace(/^treadle\b/, () => terminal.runner);
  };
}

function placeFlag(
  { db, gateway }: FollowedCall["options"],
  terminal: FollowedCall["terminal"],
): string | undefined {
  if (gateway?.isNamed === true) {
    const token = gateway.token?.startsWith("@") === true ? ` --token ${shellWord(gateway.token)}` : "";
    return `--gateway ${shellWord(gateway.url)}${token}`;
  }
  return db === undefined || isFoundAnyway(db, terminal) ? undefined : `--db ${shellWord(databaseName(db))}`;
}

/** A call from here that names no database looks at this one. */
function isFoundAnyway(db: string, { cwd, environment }: FollowedCall["terminal"]): boolean {
  if (environment.SERVICE_GATEWAY) return false;
  const named = environment.SERVICE_DATABASE_URL || environment.SERVICE_DB;
  const found = named || join(findWorkspaceFolder(cwd) ?? cwd, DATABASE_FILE);
  return databaseName(databaseAt(cwd, db)) === databaseName(databaseAt(cwd, found));
}
