import type { Command } from "commander";

/**
 * What letters stood for in some commands before each stood for one thing in all of them: `-n` is
 * `--node`, `-i` is `--input`, `-w` is `--watch`, `-f` is `--follow`, `-c` is `--max-concurrency`.
 */
const FORMER: Readonly<Record<string, string>> = {
  "-n": "--dry-run",
  "-i": "--iteration",
  "-w": "--workflow",
  "-c": "--max-concurrent",
};

/** The name of the option that somebody meant by a letter that this command does not know. */
export function nameForLetter(command: Command, letter: string): string | undefined {
  // All commands have that option now, and only this one had a letter for it.
  if (letter === "-f" && command.name() === "graph") return "--format";
  const name = FORMER[letter];
  return command.options.some(({ long }) => long === name) ? name : undefined;
}
