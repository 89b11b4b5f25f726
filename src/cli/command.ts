import type { Command } from "commander";
import type { ChosenGateway, GatewayUse } from "./source/gateway-use.js";
import type { DocumentWriter } from "./output/document-writer.js";
import type { Report } from "./report.js";
import type { Terminal } from "./terminal.js";

/** Options that every command has. */
export interface GlobalOptions {
  /** `--db`, as given. */
  db?: string;
  /** Chosen instead of a database, by commands that can ask one. */
  gateway?: ChosenGateway;
  /** `--format`: one of the command's own, or one for programs. */
  format?: string;
}

/** One call of a command. */
export interface CommandCall<O = object> {
  readonly terminal: Terminal;
  /** Positional arguments in order; an absent optional one is undefined, a variadic one is a list. */
  readonly args: readonly (string | readonly string[] | undefined)[];
  readonly options: O & GlobalOptions;
  /** How to write documents for a program; undefined where people read. */
  readonly documents: DocumentWriter | undefined;
}

/** One line of the examples that the help of a command ends with. */
export interface Example {
  readonly command: string;
  readonly meaning: string;
}

/** A command: how it is called, and what it does. */
export interface CliCommand<O = object> {
  /** Two or three. */
  readonly examples: readonly Example[];
  /** Texts that it can answer with, the default first. @default ["table"] */
  readonly formats?: readonly string[];
  /** Whether it prints documents as it goes, one a line; `--watch` makes every command do so. @default false */
  readonly streams?: boolean;
  /** Absent of a command that is not about stored runs. */
  readonly gateway?: GatewayUse;
  /** Declares arguments and options. */
  configure(command: Command): void;
  /**
   * Does it. A command that prints as it goes (a stream, a live view) returns
   * only its exit code.
   */
  run(call: CommandCall<O>): Promise<Report | number>;
}

/** A command that only holds others: `treadle agents list`. */
export interface CliGroup {
  readonly commands: Readonly<Record<string, CommandEntry>>;
}

/** A line of a table of commands; the code behind it is loaded when it is called. */
export interface CommandEntry {
  /** One line for the list of commands. */
  readonly summary: string;
  /** Heading in the list of commands. */
  readonly section?: string;
  load(): Promise<CliCommand | CliGroup>;
}

/** Makes a command known with its option type, which the table does not need to know. */
export function defineCommand<O extends object>(command: CliCommand<O>): CliCommand {
  return command as CliCommand;
}
