import { secretsInAddresses } from "../../util/address-secrets.js";
import { isSecretName } from "../../util/secret-names.js";
import { decodedBasic } from "../../util/secret-spellings.js";
import { isRecord } from "../../util/is-record.js";

/** Flags and `NAME=value` arguments that carry one. */
const SECRET_ARGUMENT = /^(?:--?)?([A-Za-z0-9_.-]+)=(.+)$/s;

/** Shorter values would blot out ordinary words, and protect nothing. */
const SHORTEST = 6;
/** Words, numbers, versions, paths and addresses without credentials. */
const ORDINARY = /^(?:[A-Za-z]+(?:[-_. ,:][A-Za-z]+)*|[\d.]+|(?:~|\.{0,2})\/[^?#]*|[a-z+]+:\/\/[^@?#]*)$/;

/**
 * The texts in an agent's options that must never be shown: API keys, values of `env`, and what lies
 * under a telling name at any depth, also inside JSON texts such as an MCP configuration.
 */
export function secretsOf(options: unknown): string[] {
  const found = new Set<string>();
  collect(options, { name: "", isSecret: false, found });
  return [...found];
}

interface Place {
  name: string;
  isSecret: boolean;
  found: Set<string>;
}

function collect(value: unknown, place: Place): void {
  if (typeof value === "string") collectText(value, place);
  if (Array.isArray(value)) collectList(value, place);
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const isMap = /^(?:env|headers)$/i.test(place.name);
    const isSecret = isSecretName(name) || (isMap && typeof member === "string" && !isOrdinary(member));
    collect(member, { name, isSecret, found: place.found });
  }
}

/** Of `session=abc; theme=dark` each value: an answer repeats them without their names. */
function cookieValues(text: string): string[] {
  return text.split(";").map((pair) => pair.slice(pair.indexOf("=") + 1).trim());
}

/** In argument lists a secret may follow its flag. */
function collectList(list: readonly unknown[], place: Place): void {
  list.forEach((item, index) => {
    const before: unknown = list[index - 1];
    const follows = typeof before === "string" && before.startsWith("-") && isSecretName(before);
    collect(item, { ...place, isSecret: place.isSecret || follows });
  });
}

function collectText(text: string, place: Place): void {
  if (place.isSecret) add(text, place.found);
  if (/cookie/i.test(place.name)) for (const value of cookieValues(text)) add(value, place.found);
  const argument = SECRET_ARGUMENT.exec(text);
  if (argument !== null && isSecretName(argument[1] as string)) add(argument[2] as string, place.found);
  const { passwords, pairs, parameters } = secretsInAddresses(text);
  for (const secret of [...passwords, ...pairs, ...parameters]) add(secret, place.found);
  collect(parseJson(text), { ...place, isSecret: false });
}

function isOrdinary(text: string): boolean {
  return ORDINARY.test(text) || parseJson(text) !== undefined;
}

/** The object or list that a text spells out. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function add(text: string, found: Set<string>): void {
  for (const part of decodedBasic(text)) if (part.length >= SHORTEST) found.add(part);
  const bare = text.replace(/^(?:Bearer|Basic|Token)\s+/i, "").replace(/^["']|["']$/g, "");
  for (const candidate of [text, bare, ...bare.split("\n")]) {
    if (candidate.trim().length >= SHORTEST) found.add(candidate.trim());
  }
}
