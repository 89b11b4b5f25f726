import type { Argument, Command, Option } from "commander";
import { errorFamilies } from "../../errors/codes.js";
import { AGENT_ENGINES } from "../../model/agent.js";
import type { IdPlace, KnownId } from "../../operations/index.js";
import { allowedBy, collect, commaList } from "../input/option-values.js";
import { DOCUMENT_FORMATS } from "../output/document-form.js";
import { optionsOf, type TypedLine } from "./typed-line.js";

/** A candidate for the word that is being typed. */
export interface Candidate {
  word: string;
  /** For shells that show it. */
  about?: string;
}

/** `files`: what the shell itself knows. */
export type Candidates = readonly Candidate[] | "files";

export interface CandidateSource {
  /** Texts that a command can answer with. */
  formatsOf(command: Command): readonly string[];
  place: IdPlace;
}

/** Names of files and folders in the usage of a command. */
const FILES = new Set(["file", "database", "dir", "folder", "path", "spec"]);

/** @param typed the beginning of the word, may be empty */
export async function candidatesFor(
  line: TypedLine,
  typed: string,
  source: CandidateSource,
): Promise<Candidates> {
  const found = await everythingFor(line, typed, source);
  if (found === "files") return found;
  // A candidate that does not fit on a line of its own cannot be given to a shell.
  return found.filter(({ word }) => word.startsWith(typed) && !/\p{Cc}/u.test(word));
}

async function everythingFor(line: TypedLine, typed: string, source: CandidateSource): Promise<Candidates> {
  const { command, expecting, isOperandsOnly } = line;
  if (expecting !== undefined && (expecting.required || !typed.startsWith("-"))) {
    return valuesOf(expecting, { line, typed, source });
  }
  if (!isOperandsOnly && typed.startsWith("-")) {
    const [, name = "", value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
    const option = optionsOf(command).find(({ long }) => long === name);
    if (option === undefined) return optionNames(line);
    const values = await valuesOf(option, { line, typed: value as string, source });
    return values === "files" ? values : values.map((one) => ({ ...one, word: `${name}=${one.word}` }));
  }
  if (command.commands.length > 0) {
    // Something stands there that is no command of it.
    if (line.operands.length > 0) return [];
    return command.commands.map((sub) => ({ word: sub.name(), about: sub.summary() }));
  }
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[line.operands.length] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? [] : valuesOf(argument, { line, typed, source });
}

function optionNames({ command, given }: TypedLine): Candidate[] {
  const names = optionsOf(command)
    .filter(({ long }) => long !== undefined && (long !== "--version" || command.parent === null))
    .filter(({ long, parseArg }) => !given.has(long as string) || (parseArg as unknown) === collect)
    .map(({ long, description }) => ({ word: long as string, about: description }));
  return [...names, { word: "--help", about: "explain the command" }];
}

async function valuesOf(
  asked: Option | Argument,
  about: { line: TypedLine; typed: string; source: CandidateSource },
): Promise<Candidates> {
  const { line, typed, source } = about;
  const isOption = "flags" in asked;
  const name = isOption ? (/[<[]([^>\]]+)/.exec(asked.flags)?.[1] ?? "") : asked.name();
  const allowed = asked.argChoices ?? allowedBy(asked.parseArg)?.values;
  if (allowed !== undefined) {
    return allowedBy(asked.parseArg)?.isList === true ? listed(allowed, typed) : words(allowed);
  }
  if (isOption && asked.long === "--format") {
    return words([...source.formatsOf(line.command), ...DOCUMENT_FORMATS]);
  }
  if (isOption && asked.long === "--node") return nodesOf(line, source);
  if (FILES.has(name)) return "files";
  switch (name) {
    case "run":
    case "runs":
      return runsOf(line, { typed, place: source.place });
    case "node":
      return nodesOf(line, source);
    case "workflow":
      return workflowsOf(typed, source.place);
    case "engine":
      return words(AGENT_ENGINES);
    case "topic":
      return topicsOf(line);
    default:
      return [];
  }
}

/** Values of a comma-separated list: each one once. */
function listed(allowed: readonly string[], typed: string): Candidate[] {
  const before = typed.slice(0, typed.lastIndexOf(",") + 1);
  const taken = commaList(before);
  return words(allowed.filter((value) => !taken.includes(value)).map((value) => `${before}${value}`));
}

function topicsOf({ command, operands }: TypedLine): Candidate[] {
  const [topic] = operands;
  if (topic === "errors") {
    return Object.values(errorFamilies).flatMap((codes) =>
      Object.entries(codes).map(([word, { when }]) => ({ word, about: when })),
    );
  }
  const commands = topic === undefined ? (command.parent?.commands ?? []) : [];
  const errors = topic === undefined ? [{ word: "errors", about: "error codes" }] : [];
  return [...commands.map((sub) => ({ word: sub.name(), about: sub.summary() })), ...errors];
}

async function runsOf(
  line: TypedLine,
  { typed, place }: { typed: string; place: IdPlace },
): Promise<Candidate[]> {
  const { knownRuns } = await import("../../operations/workspace/known-ids.js");
  const known = await knownRuns(chosenPlace(line, place), typed);
  return [...ids(known), { word: "latest", about: "the newest run" }];
}

async function nodesOf(line: TypedLine, { place }: CandidateSource): Promise<Candidate[]> {
  const [run] = line.operands;
  if (run === undefined) return [];
  const { knownNodes } = await import("../../operations/workspace/known-ids.js");
  return ids(await knownNodes(chosenPlace(line, place), run));
}

/** Those of the workspace by their names, else any file. */
async function workflowsOf(typed: string, { cwd }: IdPlace): Promise<Candidates> {
  const { findWorkflows, workflowRoot } = await import("../../operations/workspace/find-workflows.js");
  const names = findWorkflows(workflowRoot(cwd)).map(({ name }) => name);
  const fitting = names.filter((name) => name.startsWith(typed));
  return fitting.length > 0 ? words(fitting) : "files";
}

function chosenPlace({ given }: TypedLine, place: IdPlace): IdPlace {
  return { ...place, db: given.get("--db") ?? place.db };
}

function ids(known: readonly KnownId[]): Candidate[] {
  return known.map(({ id, about }) => ({ word: id, about }));
}

function words(values: readonly string[]): Candidate[] {
  return values.map((word) => ({ word }));
}
