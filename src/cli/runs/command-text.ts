import { shellWord } from "../../util/shell-word.js";
import type { GlobalOptions } from "../command.js";

/** Follow-up commands as a person can paste them: they look at the same database as this call did. */
export function createCommandText(options: Pick<GlobalOptions, "db">): (command: string) => string {
  const { db } = options;
  if (db === undefined) return (command) => command;
  const flag = `--db ${shellWord(db)}`;
  // Nothing is an option behind `--`.
  return (command) =>
    command.includes(" -- ") ? command.replace(/^treadle/, () => `treadle ${flag}`) : `${command} ${flag}`;
}
