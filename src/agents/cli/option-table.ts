import { ServiceError } from "../../errors/service-error.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import type { CallFiles } from "./call-files.js";
import { BASE_OPTION_RULES, type BaseCliAgentOptions } from "./options.js";

/** Where the value of one option goes, and what it has to be. */
export type OptionTarget =
  /** A value after a flag; lists repeat the flag unless `join` is set. */
  | { to: "flag"; flag: string; join?: string }
  /** A bare flag for true; `off` is the flag for false. */
  | { to: "switch"; flag: string; off?: string }
  /** Variables of the tool's environment. */
  | { to: "env"; names: readonly string[]; secret?: true }
  /** A JSON text or the path of a JSON file. Texts go through a private file: arguments are visible to everyone. */
  | { to: "json-file"; flag: string }
  /** The conversation to start from; a call's `resumeSession` wins. */
  | { to: "session"; as: "resume" | "new" | "continue" }
  /** The tool has dropped what this option stood for. */
  | { to: "removed"; flag: string; instead: string }
  /** Read by the engine's own code. */
  | { to: "engine" };

/** An option that is given on has a rule of its own; a switch is a flag, and of what a tool has dropped nothing fits. */
type Ruled<T> =
  | (Exclude<OptionTarget, { to: "switch" | "removed" }> & { readonly is: rules.OptionRule<T> })
  | Extract<OptionTarget, { to: "switch" | "removed" }>;

/** One target for every option that a class adds to the base: none can be forgotten. */
export type OptionTable<O extends BaseCliAgentOptions> = {
  readonly [Name in Exclude<keyof O, keyof BaseCliAgentOptions>]-?: Ruled<Exclude<O[Name], undefined>>;
};

export interface MappedOptions {
  flags: string[];
  env: Record<string, string>;
  session: SessionChoice | undefined;
}

export interface SessionChoice {
  as: "resume" | "fork" | "new" | "continue";
  /** Empty for `continue`. */
  id: string;
}

type Targets = Readonly<Record<string, OptionTarget>>;
type RuledTargets = Readonly<Record<string, Ruled<unknown>>>;

/** Which of the values that fit work, the tool says. An engine that is written in JavaScript may have no rule. */
function ruleOf(title: string, name: string, target: Ruled<unknown>): rules.OptionRule {
  if (target.to === "switch") return rules.flag;
  if (target.to === "removed") return rules.anything;
  if ((target.is as unknown) === undefined) {
    throw invalid(title, name, "has no rule in its engine: `is: {expected, fits}` says what it has to be");
  }
  return target.to === "env" && target.secret === true ? rules.secret(target.is) : target.is;
}

/**
 * Refuses what cannot work before anything runs.
 * @throws AGENT_CONFIG_INVALID for unknown options, removed flags, impossible numbers, two conversations at once
 */
export function checkCliOptions<O extends object>(title: string, table: RuledTargets, options: O): O {
  const own = Object.entries(table).map(([name, target]) => [name, ruleOf(title, name, target)]);
  const all = { ...BASE_OPTION_RULES, ...Object.fromEntries(own) };
  const owner = { of: title, code: "AGENT_CONFIG_INVALID" } as const;
  const given = checkOptions<object, rules.OptionRules<object>>(owner, options, all) as O;
  for (const [name, value] of Object.entries(given)) {
    const target = Object.hasOwn(table, name) ? table[name] : undefined;
    if (value !== undefined && target?.to === "removed") {
      throw invalid(title, name, `stands for ${target.flag}, which the tool has removed. ${target.instead}`);
    }
  }
  const chosen = Object.entries(given).filter(
    ([name, value]) => table[name]?.to === "session" && value !== undefined && value !== false,
  );
  if (chosen.length > 1) {
    const names = chosen.map(([name]) => `\`${name}\``).join(" and ");
    throw new ServiceError("AGENT_CONFIG_INVALID", `${title} is given two conversations at once: ${names}.`, {
      details: { options: chosen.map(([name]) => name) },
    });
  }
  return given;
}

/** Arguments and variables of a class's own options, in the order of the table. */
export async function mapOptions(table: Targets, options: object, files: CallFiles): Promise<MappedOptions> {
  const mapped: MappedOptions = { flags: [], env: {}, session: undefined };
  for (const [name, target] of Object.entries(table)) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined) await mapOption(mapped, { target, value, name, files });
  }
  return mapped;
}

async function mapOption(
  mapped: MappedOptions,
  option: { target: OptionTarget; value: unknown; name: string; files: CallFiles },
): Promise<void> {
  const { target, value, name, files } = option;
  switch (target.to) {
    case "flag":
      mapped.flags.push(...flagValues(value, target.join).flatMap((text) => [target.flag, text]));
      return;
    case "switch":
      if (value === true) mapped.flags.push(target.flag);
      else if (target.off !== undefined) mapped.flags.push(target.off);
      return;
    case "env":
      for (const variable of target.names) mapped.env[variable] = String(value);
      return;
    case "json-file":
      for (const [index, text] of flagValues(value).entries()) {
        const isJson = /^\s*[[{]/.test(text);
        mapped.flags.push(target.flag, isJson ? await files.write(`${name}-${index}.json`, text) : text);
      }
      return;
    case "session":
      if (value !== false)
        mapped.session = { as: target.as, id: target.as === "continue" ? "" : String(value) };
      return;
    case "removed":
    case "engine":
      return;
  }
}

function flagValues(value: unknown, join?: string): string[] {
  if (!Array.isArray(value)) return [String(value)];
  if (value.length === 0) return [];
  return join === undefined ? value.map(String) : [value.map(String).join(join)];
}

function invalid(title: string, option: string, why: string): ServiceError {
  return new ServiceError(
    "AGENT_CONFIG_INVALID",
    `Option \`${option}\` of ${title} ${why}.`.replace(/\.\.$/, "."),
    {
      details: { option },
    },
  );
}
