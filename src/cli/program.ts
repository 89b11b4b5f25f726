import { CommanderError } from "commander";
import { ServiceError } from "../errors/service-error.js";
import { type CommandTree, createCommandTree } from "./command-tree.js";
import { EXIT } from "./exit-codes.js";
import { reportError } from "./output/report-error.js";
import type { Terminal } from "./terminal.js";

/**
 * Runs one command line and returns the exit code of the process. Never throws:
 * an error becomes a document on stdout with `--json`, else text on stderr.
 */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  const tree = createCommandTree(terminal);
  try {
    await tree.root.parseAsync([...argv], { from: "user" });
    return tree.exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    if (thrown instanceof CommanderError && thrown.code === "commander.help") {
      return showOverview(tree, { argv, terminal });
    }
    return reportError(toUsageError(thrown, argv), { terminal, json: argv.includes("--json") });
  }
}

/** Nothing was asked for: the list of commands is the answer. A group without its command is a mistake. */
function showOverview(
  tree: CommandTree,
  { argv, terminal }: { argv: readonly string[]; terminal: Terminal },
): number {
  if (argv.length === 0) {
    terminal.out.write(tree.unsolicitedHelp);
    return EXIT.ok;
  }
  const names = argv.filter((argument) => !argument.startsWith("-"));
  const error = new ServiceError(
    "CLI_USAGE",
    `${["treadle", ...names].join(" ")} needs one of its commands.`,
  );
  const json = argv.includes("--json");
  if (!json) terminal.err.line(tree.unsolicitedHelp);
  return reportError(error, { terminal, json });
}

function toUsageError(thrown: unknown, argv: readonly string[]): unknown {
  if (!(thrown instanceof CommanderError)) return thrown;
  const text = thrown.message.replace(/^error: /, "").replaceAll("\n", " ");
  const [file] = argv;
  const isFile = thrown.code === "commander.unknownCommand" && /\.[cm]?[jt]sx?$/.test(file ?? "");
  const hint = isFile ? ` (Did you mean treadle up ${file}?)` : "";
  return new ServiceError("CLI_USAGE", `${text.charAt(0).toUpperCase()}${text.slice(1)}${hint}.`);
}
