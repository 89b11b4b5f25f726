import type { Command } from "commander";

/**
 * Former meanings of letters, from before each meant one thing in all commands: `-n` is
 * `--node`, `-i` is `--input`, `-w` is `--watch`, `-f` is `--follow`, `-c` is `--max-concurrency`.
 */
const FORMER: Readonly<Record<string, string>> = {
  "-n": "--dry-run",
  "-i": "--iteration",
  "-w": "--workflow",
  "-c": "--max-concurrent",
};

/** The name of the option that a letter meant which this command does not know. */
export function nameForLetter(command: Command, letter: string): string | undefined {
  // All commands have that option now, and only this one had a letter for it.
  if (letter === "-f" && command.name() === "graph") return "--format";
  const name = FORMER[letter];
  return command.options.some(({ long }) => long === name) ? name : undefined;
}
