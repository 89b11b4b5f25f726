/** Subcommands of git that always talk to a remote. */
const REMOTE_SUBCOMMANDS: ReadonlySet<string> = new Set([
  "clone",
  "fetch",
  "fetch-pack",
  "http-fetch",
  "http-push",
  "ls-remote",
  "pull",
  "push",
  "send-pack",
]);

/** Second words that make these subcommands talk to a remote. */
const REMOTE_WHEN: Readonly<Record<string, ReadonlySet<string>>> = {
  remote: new Set(["update", "show", "prune", "set-head"]),
  submodule: new Set(["update", "add"]),
};

/** Options before the subcommand that take the next word as their value. */
const GLOBAL_OPTIONS_WITH_VALUE: ReadonlySet<string> = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--super-prefix",
  "--config-env",
]);

/** Words that run the command after them. */
const PREFIX_WORDS: ReadonlySet<string> = new Set([
  "command",
  "env",
  "exec",
  "nohup",
  "setsid",
  "sudo",
  "time",
]);

/**
 * The first git command in a shell line that would talk to a remote, such as
 * `git push`. This is for a clear answer before anything runs; what it cannot see
 * (aliases, scripts, `eval`) is stopped by the environment of the child.
 */
export function findGitRemoteCommand(shellLine: string): string | undefined {
  for (const words of simpleCommands(shellLine)) {
    const remote = gitRemoteCommand(words);
    if (remote !== undefined) return remote;
  }
  return undefined;
}

/** As findGitRemoteCommand, for one command that is in words already. */
export function gitRemoteCommand(words: readonly string[]): string | undefined {
  let at = 0;
  while (PREFIX_WORDS.has(words[at] ?? "") || /^\w+=/.test(words[at] ?? "")) at += 1;
  const program = words[at] ?? "";
  if (program !== "git" && !program.endsWith("/git")) return undefined;
  at += 1;
  while (words[at]?.startsWith("-")) at += GLOBAL_OPTIONS_WITH_VALUE.has(words[at] as string) ? 2 : 1;
  const subcommand = words[at] ?? "";
  if (REMOTE_SUBCOMMANDS.has(subcommand)) return `git ${subcommand}`;
  const second = words.slice(at + 1).find((word) => !word.startsWith("-")) ?? "";
  return REMOTE_WHEN[subcommand]?.has(second) ? `git ${subcommand} ${second}` : undefined;
}

/** Splits a shell line at operators outside quotes, and each piece into words without their quotes. */
function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  // Quoted text, escaped characters and plain text join into words; operators and `$(`, `` ` ``, `{` begin a command.
  const token =
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\([\s\S])|([;&|()`\n{}]+|\$\()|(\s+)|([^\s'"\\;&|()`{}$]+|\$)/g;
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (const [, single, double, escaped, operator, space, plain] of line.matchAll(token)) {
    if (operator !== undefined) {
      endWord();
      commands.push([]);
    } else if (space !== undefined) {
      endWord();
      if (space.includes("\n")) commands.push([]);
    } else {
      word = (word ?? "") + (single ?? double ?? escaped ?? plain ?? "");
    }
  }
  endWord();
  return commands;
}
