import type { Command } from "commander";
import type { CliCommand, CommandEntry, GlobalOptions } from "./command.js";
import { commandTable } from "./command-table.js";
import { commandDocument, type CommandDocument } from "./help/command-document.js";
import { createHelpCommand } from "./help/help-command.js";
import { manifestReport } from "./help/manifest.js";
import { formOf, type FormOptions } from "./output/document-form.js";
import { createDocumentWriter, type DocumentWriter } from "./output/document-writer.js";
import type { Report } from "./report.js";
import { createRoot } from "./root-command.js";
import { choosePlace } from "./source/choose-place.js";
import type { Terminal } from "./terminal.js";
import { checkForm, TEXT_FORMATS } from "./input/form-check.js";

/** The commands as the parser knows them. The code of a command is loaded when it is called or explained. */
export interface CommandTree {
  readonly root: Command;
  /** Of the command that ran. */
  readonly exitCode: number;
  /** The command that was called, as far as the parser got. */
  readonly called: Command;
  /** Whether that prints documents as it goes, so that an error is one more of them. */
  readonly isStreaming: boolean;
  /** Help that the parser wanted to print because a command was missing. */
  readonly unsolicitedHelp: string;
  /** All commands, loaded and described. */
  manifest(): Promise<Report>;
  /** The list of commands as data. */
  overview(): CommandDocument;
}

export interface TreeContext {
  terminal: Terminal;
  /** How to explain a command to a program; undefined where people read. */
  documents: DocumentWriter | undefined;
}

export function createCommandTree({ terminal, documents }: TreeContext): CommandTree {
  const state = { exitCode: 0, unsolicitedHelp: "" };
  const undefinedYet = new Map<Command, CommandEntry>();
  const loadedCommands = new Map<Command, CliCommand>();
  const formatsOf = (command: Command) => loadedCommands.get(command)?.formats ?? TEXT_FORMATS;
  const describe = (command: Command) => commandDocument(command, loadedCommands.get(command));

  const root = createRoot(terminal, {
    onHelp: (text) => {
      state.unsolicitedHelp = text;
    },
    explain: documents && ((command) => terminal.out.line(documents.document(describe(command)))),
    formatsOf,
    versionText: (version) =>
      documents?.document({ name: "treadle", version, node: process.version }) ?? version,
  });
  let called: Command = root;

  const define = async (command: Command): Promise<void> => {
    called = command;
    const entry = undefinedYet.get(command);
    if (entry === undefined) return;
    undefinedYet.delete(command);
    const loaded = await entry.load();
    if ("commands" in loaded) {
      command.helpCommand(false);
      return addAll(command, loaded.commands);
    }
    loaded.configure(command);
    loadedCommands.set(command, loaded);
    command.addHelpText("after", () => examplesText(loaded));
    command.action(async () => {
      state.exitCode = await run(loaded, { parsed: command, terminal });
    });
  };
  const add = (parent: Command, name: string, entry: CommandEntry): void => {
    const command = parent.command(name).summary(entry.summary).description(entry.summary);
    if (entry.section !== undefined) command.helpGroup(entry.section);
    undefinedYet.set(command, entry);
  };
  const addAll = (parent: Command, table: Readonly<Record<string, CommandEntry>>): void => {
    for (const [name, entry] of Object.entries(table)) add(parent, name, entry);
    parent.hook("preSubcommand", (_parent, command) => define(command));
  };

  addAll(root, commandTable);
  const help = createHelpCommand({ root, define, describe });
  add(root, "help", {
    summary: "explain a command or an error code",
    section: "Help:",
    load: async () => help,
  });
  add(root, "completions", {
    summary: "print completions for bash, zsh or fish",
    section: "Help:",
    async load() {
      const { createCompletionsCommand } = await import("./completions/completions-command.js");
      return createCompletionsCommand({ root, define, formatsOf });
    },
  });
  const describeBelow = async (parent: Command): Promise<CommandDocument[]> => {
    const found: CommandDocument[] = [];
    for (const command of parent.commands) {
      await define(command);
      found.push(...(command.commands.length > 0 ? await describeBelow(command) : [describe(command)]));
    }
    return found;
  };
  return {
    root,
    get exitCode() {
      return state.exitCode;
    },
    get called() {
      return called;
    },
    get isStreaming() {
      return (
        loadedCommands.get(called)?.streams === true || called.opts<{ watch?: boolean }>().watch === true
      );
    },
    get unsolicitedHelp() {
      return state.unsolicitedHelp;
    },
    manifest: async () => manifestReport(root, await describeBelow(root)),
    overview: () => describe(root),
  };
}

async function run(
  command: CliCommand,
  { parsed, terminal }: { parsed: Command; terminal: Terminal },
): Promise<number> {
  const given = parsed.optsWithGlobals<GlobalOptions & FormOptions & { raw?: boolean; llms?: boolean }>();
  checkForm(given, command);
  const { json: _json, raw = false, filterOutput: _filter, ...own } = given;
  const { db: _db, gateway: _gateway, token: _token, ...rest } = own as typeof own & { token?: string };
  const options = { ...rest, ...choosePlace(parsed, command.gateway) };
  if (raw) terminal.out.sendRaw();
  const form = formOf(given);
  const documents = form && (await createDocumentWriter(form));
  const args = parsed.processedArgs as (string | string[] | undefined)[];
  const result = await command.run({ terminal, args, options, documents });
  return typeof result === "number" ? result : printReport(result, { terminal, documents });
}

/** Prints what a command has to say and returns its exit code. */
export function printReport(report: Report, { terminal, documents }: TreeContext): number {
  const { out, err } = terminal;
  const text =
    documents === undefined ? report.text(out.colors, out.tableWidth) : documents.document(report.json);
  if (text !== "") out.line(text);
  for (const { path, names } of documents?.missing(report.json) ?? []) {
    err.line(
      `${err.colors.yellow("!")} --filter-output: there is no ${path} in it; there is ${names.join(", ")}`,
    );
  }
  return report.exitCode ?? 0;
}

function examplesText({ examples }: CliCommand): string {
  const width = Math.max(...examples.map(({ command }) => command.length));
  const lines = examples.map(({ command, meaning }) => `  $ ${command.padEnd(width)}  ${meaning}`);
  return `\nExamples:\n${lines.join("\n")}`;
}
