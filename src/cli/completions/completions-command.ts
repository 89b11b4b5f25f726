import { Argument, type Command } from "commander";
import { shellWord } from "../../util/shell-word.js";
import { type CliCommand, defineCommand } from "../command.js";
import { visibleLine } from "../output/visible-text.js";
import { type Candidate, candidatesFor } from "./candidates.js";
import { SCRIPTS, type Shell } from "./scripts.js";
import { readTypedLine } from "./typed-line.js";

interface CompletionSource {
  readonly root: Command;
  /** Declares the arguments of a command whose code has not been loaded. */
  define(command: Command): Promise<void>;
  formatsOf(command: Command): readonly string[];
}

/** `treadle completions bash`, and what its script asks: `treadle completions bash -- up --f`. */
export function createCompletionsCommand({ root, define, formatsOf }: CompletionSource): CliCommand {
  return defineCommand({
    examples: [
      { command: 'eval "$(treadle completions bash)"', meaning: "in ~/.bashrc" },
      { command: "source <(treadle completions zsh)", meaning: "in ~/.zshrc, behind compinit" },
      { command: "treadle completions fish | source", meaning: "in ~/.config/fish/config.fish" },
    ],
    configure(command) {
      command
        .addArgument(new Argument("<shell>", "shell to make completions for").choices(Object.keys(SCRIPTS)))
        .argument(
          "[words...]",
          "behind `--`: a line that is being typed; prints what could be its last word",
        );
    },
    async run({ terminal, args }) {
      const shell = args[0] as Shell;
      const words = (args[1] ?? []) as readonly string[];
      if (words.length === 0) {
        return { json: { shell, script: SCRIPTS[shell] }, text: () => SCRIPTS[shell].trimEnd() };
      }
      const { cwd, environment } = terminal;
      const source = { formatsOf, place: { cwd, db: environment.SERVICE_DB || undefined } };
      const typed = words.at(-1) as string;
      // A line that does not parse has no completions; the person who types must not see why.
      const found = await readTypedLine(words.slice(0, -1), { root, define })
        .then((line) => candidatesFor(line, typed, source))
        .catch(() => []);
      return {
        json: { candidates: found },
        text: () => (found === "files" ? ":files" : found.map((one) => lineOf(shell, one)).join("\n")),
      };
    },
  });
}

/** The word, for shells that show more with what it is. bash takes the word as it stands, so it is quoted here. */
function lineOf(shell: Shell, { word, about }: Candidate): string {
  if (shell === "bash") return shellWord(word);
  return about === undefined ? word : `${word}\t${visibleLine(about)}`;
}
