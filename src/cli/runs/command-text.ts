import { shellWord } from "../../util/shell-word.js";
import type { GlobalOptions } from "../command.js";

/**
 * Follow-up commands as a person can paste them: they look at the same place as this call did. Credentials are
 * never part of them; the file that holds a token is.
 */
export function createCommandText(
  options: Pick<GlobalOptions, "db" | "gateway">,
): (command: string) => string {
  const flag = placeFlag(options);
  if (flag === undefined) return (command) => command;
  // Nothing is an option behind `--`.
  return (command) =>
    command.includes(" -- ") ? command.replace(/^treadle/, () => `treadle ${flag}`) : `${command} ${flag}`;
}

function placeFlag({ db, gateway }: Pick<GlobalOptions, "db" | "gateway">): string | undefined {
  if (gateway?.isNamed === true) {
    const token = gateway.token?.startsWith("@") === true ? ` --token ${shellWord(gateway.token)}` : "";
    return `--gateway ${shellWord(gateway.url)}${token}`;
  }
  return db === undefined ? undefined : `--db ${shellWord(db)}`;
}
