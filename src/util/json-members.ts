import { isContainer } from "./nesting.js";

/**
 * Limits for a JSON value of others. Names are entries of hash tables, which are built, checked and copied
 * several times in one go: a million of them kept everything else of a process waiting for ten seconds.
 */
const MOST_MEMBERS = 50_000;
const MOST_ITEMS = 500_000;

/** For messages. */
export const JSON_LIMITS = `${MOST_MEMBERS} names, objects and lists, or ${MOST_ITEMS} values`;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const OPENING_BRACE = 123;

/** Whether the text is JSON of more than that. Asked before it is parsed, in one pass; strings do not count. */
export function isTooManyMembers(json: string): boolean {
  if (json.length <= MOST_MEMBERS) return false;
  let members = 0;
  let items = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) at += code === BACKSLASH ? 1 : 0;
    else if (code === COMMA) items += 1;
    else if (code === COLON || code === OPENING_BRACE || code === OPENING_BRACKET) members += 1;
    if (members > MOST_MEMBERS || items > MOST_ITEMS) return true;
  }
  return false;
}

/** Values that hold too many: to list a million names takes a third of a second, each time. */
const knownToHoldTooMany = new WeakSet<object>();

/** The same of a value that is there already. Looks at no more of it than it takes to know. */
export function holdsTooManyMembers(value: unknown): boolean {
  if (!isContainer(value)) return false;
  const holds = knownToHoldTooMany.has(value) || countsTooMany(value);
  if (holds) knownToHoldTooMany.add(value);
  return holds;
}

function countsTooMany(value: object): boolean {
  const open: object[] = [value];
  let members = 0;
  let items = 0;
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    members += 1;
    if (Array.isArray(container)) items += container.length;
    if (members > MOST_MEMBERS || items > MOST_ITEMS) return true;
    for (const key in container) {
      if (!Array.isArray(container)) members += 1;
      if (members > MOST_MEMBERS) return true;
      const member = (container as Record<string, unknown>)[key];
      if (isContainer(member)) open.push(member);
    }
  }
  return false;
}
