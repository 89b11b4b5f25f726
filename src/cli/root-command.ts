import { Command, type HelpContext, Option } from "commander";
import { TEXT_FORMATS } from "./input/form-check.js";
import { DOCUMENT_FORMATS } from "./output/document-form.js";
import type { Terminal } from "./terminal.js";
import { readVersion } from "../process/installation.js";

export interface RootOptions {
  /** Called with the help that the parser would have printed because a command was missing. */
  onHelp(text: string): void;
  /** Takes the place of the help text, for programs. */
  explain: ((command: Command) => void) | undefined;
  /** Texts that a command can answer with, the default first. */
  formatsOf(command: Command): readonly string[];
  versionText(version: string): string;
}

/** The command `treadle` with the options that all commands have; errors are thrown, not printed. */
export function createRoot(
  terminal: Terminal,
  { onHelp, explain, formatsOf, versionText }: RootOptions,
): Command {
  return new ExplainedCommand("treadle", explain)
    .description("Durable workflows written as TSX.")
    .version(versionText(readVersion()), "-V, --version", "print the version")
    .helpOption("-h, --help", "explain the command")
    .helpCommand(false)
    .addOption(new Option("--json", "print one JSON document (streams: one per line), nothing else"))
    .addOption(new Option(FORMAT, formatsText(TEXT_FORMATS)))
    .addOption(
      new Option("--filter-output <paths>", "keep these parts of the document, e.g. runs.runId,nextCursor"),
    )
    .addOption(new Option("--raw", "print text as it is, hidden characters too; for pipes and files"))
    .addOption(
      new Option(
        "--db <database>",
        "file, or postgres://…; default: SERVICE_DATABASE_URL, else service.db of the nearest parent folder",
      ).env("SERVICE_DB"),
    )
    .addOption(
      new Option(
        "--gateway <url>",
        "ask this gateway instead of a database; Ctrl-C ends only the asking",
      ).env("SERVICE_GATEWAY"),
    )
    .addOption(
      new Option(
        "--token <token>",
        "credentials for the gateway: @file, - for standard input, or best the variable; a token that is typed is seen by others of this machine",
      ).env("SERVICE_GATEWAY_TOKEN"),
    )
    .addOption(new Option("--llms", "print the manual of all commands, for programs and models"))
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => command.name(),
      visibleGlobalOptions: (command) => globalOptionsOf(command, formatsOf(command)),
    })
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      // Errors are reported in one place, from what is thrown.
      writeErr: onHelp,
      outputError: () => {},
      getOutHelpWidth: () => Math.min(terminal.out.columns, 120),
      getErrHelpWidth: () => Math.min(terminal.err.columns, 120),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride();
}

const FORMAT = "--format <format>";

function formatsText(texts: readonly string[]): string {
  return `form of the answer: ${[...texts, ...DOCUMENT_FORMATS].join(", ")} (default: ${texts[0]})`;
}

/** Options of every command, as this one knows them: some have texts of their own. */
function globalOptionsOf(command: Command, formats: readonly string[]): Option[] {
  const root = command.parent?.parent ?? command.parent;
  return (root?.options ?? []).flatMap((option) => {
    if (option.long === "--version" || option.long === "--llms") return [];
    return [option.long === "--format" ? new Option(FORMAT, formatsText(formats)) : option];
  });
}

class ExplainedCommand extends Command {
  readonly #explain: ((command: Command) => void) | undefined;

  constructor(name: string, explain: ((command: Command) => void) | undefined) {
    super(name);
    this.#explain = explain;
  }

  override createCommand(name: string): Command {
    return new ExplainedCommand(name, this.#explain);
  }

  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    // On stderr it is printed because a command is missing: the caller decides what that means.
    const isReported = typeof context === "object" && context.error === true;
    if (this.#explain === undefined || isReported) super.outputHelp(context as HelpContext);
    else this.#explain(this);
  }
}
