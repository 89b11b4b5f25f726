import type { Argument, Command, Option } from "commander";
import type { CliCommand, Example } from "../command.js";

export interface CommandDocument {
  /** How it is called: `treadle agents list`. */
  name: string;
  summary: string;
  usage: string;
  arguments: { name: string; required: boolean; variadic: boolean; description: string }[];
  options: OptionDocument[];
  examples: readonly Example[];
  /** Texts that it can answer with, the default first. */
  formats?: readonly string[];
  commands: { name: string; summary: string }[];
}

export interface OptionDocument {
  flags: string;
  description: string;
  default?: unknown;
  choices?: readonly string[];
  /** Environment variable that stands for it. */
  environment?: string;
}

/** A command as data, without the options that every command has. */
export function commandDocument(command: Command, code: CliCommand | undefined): CommandDocument {
  return {
    name: pathOf(command),
    summary: command.summary() || command.description(),
    usage: `${pathOf(command)} ${command.usage()}`,
    arguments: command.registeredArguments.map(argumentDocument),
    options: command.options.map(optionDocument),
    examples: code?.examples ?? [],
    ...(code?.formats !== undefined && { formats: code.formats }),
    commands: command.commands.map((sub) => ({ name: sub.name(), summary: sub.summary() })),
  };
}

/** `treadle agents list`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function argumentDocument(argument: Argument): CommandDocument["arguments"][number] {
  const { required, variadic, description } = argument;
  return { name: argument.name(), required, variadic, description };
}

export function optionDocument(option: Option): OptionDocument {
  const { flags, description, defaultValue, argChoices, envVar, negate } = option;
  return {
    flags,
    description,
    ...(defaultValue !== undefined && !negate && { default: defaultValue as unknown }),
    ...(argChoices !== undefined && { choices: argChoices }),
    ...(envVar !== undefined && { environment: envVar }),
  };
}
