import { CommanderError } from "commander";
import { ServiceError } from "../errors/service-error.js";
import { type CommandTree, createCommandTree, printReport, type TreeContext } from "./command-tree.js";
import { EXIT } from "./exit-codes.js";
import { nameForLetter } from "./input/short-options.js";
import { requestedForm } from "./output/document-form.js";
import { createDocumentWriter } from "./output/document-writer.js";
import { createCommandText } from "./runs/command-text.js";
import { typedPlace } from "./source/choose-place.js";
import { reportError } from "./output/report-error.js";
import type { Terminal } from "./terminal.js";

/**
 * Runs one command line and returns the exit code of the process. Never throws:
 * an error becomes a document on stdout with `--json`, else text on stderr.
 */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  const form = requestedForm(argv);
  const documents = form && (await createDocumentWriter(form));
  const tree = createCommandTree({ terminal, documents });
  try {
    await tree.root.parseAsync([...argv], { from: "user" });
    return tree.exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.ok;
    if (thrown instanceof CommanderError && thrown.code === "commander.help") {
      return answerWithoutCommand(tree, { argv, terminal, documents });
    }
    const commandText = createCommandText({ terminal, options: typedPlace(tree.called) });
    const { isStreaming } = tree;
    return reportError(toUsageError(thrown, { argv, tree, terminal }), {
      terminal,
      documents,
      isStreaming,
      commandText,
    });
  }
}

/** Nothing was asked for: the list of commands is the answer. A group without its command is a mistake. */
async function answerWithoutCommand(
  tree: CommandTree,
  { argv, terminal, documents }: TreeContext & { argv: readonly string[] },
): Promise<number> {
  if (tree.called === tree.root) {
    if (tree.root.opts<{ llms?: boolean }>().llms === true) {
      return printReport(await tree.manifest(), { terminal, documents });
    }
    return printReport(
      { json: tree.overview(), text: () => tree.unsolicitedHelp.trimEnd() },
      { terminal, documents },
    );
  }
  const names = argv.filter((argument) => !argument.startsWith("-"));
  const error = new ServiceError(
    "CLI_USAGE",
    `${[terminal.runner, ...names].join(" ")} needs one of its commands.`,
  );
  if (documents === undefined) terminal.err.line(tree.unsolicitedHelp);
  return reportError(error, {
    terminal,
    documents,
    commandText: createCommandText({ terminal, options: typedPlace(tree.called) }),
  });
}

interface Parsed {
  argv: readonly string[];
  tree: CommandTree;
  terminal: Terminal;
}

function toUsageError(thrown: unknown, { argv, tree, terminal }: Parsed): unknown {
  if (!(thrown instanceof CommanderError)) return thrown;
  const text = thrown.message
    .replace(/^error: /, "")
    .replaceAll("\n", " ")
    .replace(/\.$/, "");
  const summary = `${text.charAt(0).toUpperCase()}${text.slice(1)}${hintFor(thrown, { argv, tree, terminal })}.`;
  return new ServiceError("CLI_USAGE", summary);
}

function hintFor({ code, message }: CommanderError, { argv, tree, terminal }: Parsed): string {
  const [file] = argv;
  if (code === "commander.unknownCommand" && /\.[cm]?[jt]sx?$/.test(file ?? "")) {
    return ` (Did you mean ${terminal.runner} up ${file}?)`;
  }
  if (code !== "commander.unknownOption") return "";
  const letter = /'(-\w)/.exec(message)?.[1];
  const name = letter === undefined ? undefined : nameForLetter(tree.called, letter);
  return name === undefined ? "" : `: here it is ${name}`;
}
