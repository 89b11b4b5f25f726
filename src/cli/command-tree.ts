import { Command, Option } from "commander";
import type { CliCommand, CommandEntry, GlobalOptions } from "./command.js";
import { commandTable } from "./command-table.js";
import { createHelpCommand } from "./help/help-command.js";
import { jsonText } from "./output/json-text.js";
import type { Report } from "./report.js";
import type { Terminal } from "./terminal.js";
import { readVersion } from "../process/installation.js";

/** The commands as the parser knows them. The code of a command is loaded when it is called or explained. */
export interface CommandTree {
  readonly root: Command;
  /** Of the command that ran. */
  readonly exitCode: number;
  /** Help that the parser wanted to print because a command was missing. */
  readonly unsolicitedHelp: string;
}

export function createCommandTree(terminal: Terminal): CommandTree {
  const state = { exitCode: 0, unsolicitedHelp: "" };
  const undefinedYet = new Map<Command, CommandEntry>();

  const define = async (command: Command): Promise<void> => {
    const entry = undefinedYet.get(command);
    if (entry === undefined) return;
    undefinedYet.delete(command);
    const loaded = await entry.load();
    if ("commands" in loaded) {
      command.helpCommand(false);
      return addAll(command, loaded.commands);
    }
    loaded.configure(command);
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

  const root = createRoot(terminal, (text) => {
    state.unsolicitedHelp = text;
  });
  addAll(root, commandTable);
  const help = createHelpCommand({ root, define });
  add(root, "help", {
    summary: "explain a command or an error code",
    section: "Help:",
    load: async () => help,
  });
  return {
    root,
    get exitCode() {
      return state.exitCode;
    },
    get unsolicitedHelp() {
      return state.unsolicitedHelp;
    },
  };
}

function createRoot(terminal: Terminal, onHelp: (text: string) => void): Command {
  return new Command("treadle")
    .description("Durable workflows written as TSX.")
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "explain the command")
    .helpCommand(false)
    .addOption(new Option("--json", "print one JSON document (streams: one per line), nothing else"))
    .addOption(
      new Option("--raw", "print text as it is, hidden characters too; for pipes and files").conflicts(
        "json",
      ),
    )
    .addOption(
      new Option("--db <file>", "database; default: service.db of the nearest parent folder").env(
        "SERVICE_DB",
      ),
    )
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
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

async function run(
  command: CliCommand,
  { parsed, terminal }: { parsed: Command; terminal: Terminal },
): Promise<number> {
  const {
    json = false,
    raw = false,
    ...options
  } = parsed.optsWithGlobals<Partial<GlobalOptions> & { raw?: boolean }>();
  if (raw) terminal.out.sendRaw();
  const args = parsed.processedArgs as (string | string[] | undefined)[];
  const result = await command.run({ terminal, args, options: { ...options, json } });
  return typeof result === "number" ? result : print(result, { terminal, json });
}

function print(report: Report, { terminal, json }: { terminal: Terminal; json: boolean }): number {
  const { out } = terminal;
  const text = json ? jsonText(report.json) : report.text(out.colors);
  if (text !== "") out.line(text);
  return report.exitCode ?? 0;
}

function examplesText({ examples }: CliCommand): string {
  const width = Math.max(...examples.map(({ command }) => command.length));
  const lines = examples.map(({ command, meaning }) => `  $ ${command.padEnd(width)}  ${meaning}`);
  return `\nExamples:\n${lines.join("\n")}`;
}
