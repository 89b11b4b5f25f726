import type { Command, Option } from "commander";

/** An unfinished command line, as far as its commands explain it. */
export interface TypedLine {
  /** The innermost command that was named. */
  command: Command;
  /** Its arguments, without options. */
  operands: string[];
  /** Options that were given, by their long names, with their last value. */
  given: Map<string, string>;
  /** The option whose value comes next. */
  expecting: Option | undefined;
  /** Behind `--` nothing is an option. */
  isOperandsOnly: boolean;
}

/**
 * Reads the words before the one that is being typed.
 * @param define loads what a command declares
 */
export async function readTypedLine(
  words: readonly string[],
  { root, define }: { root: Command; define(command: Command): Promise<void> },
): Promise<TypedLine> {
  const line: TypedLine = {
    command: root,
    operands: [],
    given: new Map(),
    expecting: undefined,
    isOperandsOnly: false,
  };
  for (const word of words) {
    const { expecting } = line;
    line.expecting = undefined;
    if (expecting !== undefined && (expecting.required || !word.startsWith("-"))) {
      line.given.set(expecting.long ?? "", word);
    } else if (line.isOperandsOnly) line.operands.push(word);
    else if (word === "--") line.isOperandsOnly = true;
    else if (word.startsWith("-") && word !== "-") takeOption(line, word);
    else {
      const next = line.command.commands.find((command) => command.name() === word);
      if (next === undefined) line.operands.push(word);
      else {
        await define(next);
        line.command = next;
      }
    }
  }
  return line;
}

function takeOption(line: TypedLine, word: string): void {
  const [name = "", ...value] = word.split("=");
  const option = optionsOf(line.command).find(({ long, short }) => long === name || short === name);
  if (option === undefined) return;
  line.given.set(option.long ?? "", value.join("="));
  if (value.length === 0 && (option.required || option.optional)) line.expecting = option;
}

/** Its own and those that all commands have. */
export function optionsOf(command: Command): Option[] {
  const inherited = command.parent === null ? [] : optionsOf(command.parent);
  return [...command.options, ...inherited].filter(({ hidden }) => !hidden);
}
