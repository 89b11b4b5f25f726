import { isTooManyMembers } from "../../util/json-members.js";

/** Characters of what is parsed. Twice what a row may have, for blanks and escapes; no model answers as much. */
const LONGEST_JSON = 8 * 1024 * 1024;

/** Whether a text is more than is looked into. */
export function isTooMuchJson(text: string): boolean {
  return text.length > LONGEST_JSON || isTooManyMembers(text);
}

/**
 * Finds the JSON object or array that a text answers with: the whole text, else the last fenced
 * block that looks like JSON, else the last balanced object (or, without objects, array).
 * Undefined when there is none, or when the last one is broken or cut off: an earlier draft or an
 * inner part of it is never mistaken for the answer. Undefined, too, of one that {@link isTooMuchJson}.
 */
export function extractJson(text: string): unknown {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const whole = parse(trimmed);
  if (isContainer(whole)) return whole;
  // A model now and then encodes its answer twice.
  if (typeof whole === "string") return extractContainer(whole.trim());
  return fencedJson(trimmed) ?? balancedJson(trimmed);
}

function extractContainer(text: string): unknown {
  const value = parse(text);
  return isContainer(value) ? value : undefined;
}

function fencedJson(text: string): unknown {
  const last = fencedBlocks(text).findLast((block) => block.startsWith("{") || block.startsWith("["));
  return last === undefined ? undefined : extractContainer(last);
}

// A fence is all of its tildes: a shorter one would be tried with each rest of the line.
const OPENING_FENCE = /^[ \t]*(`{3,}|~{3,}(?!~))[^`]*$/;
const CLOSING_FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;

/** Contents of the closed Markdown fences. Line by line: a pattern over the whole text would backtrack. */
function fencedBlocks(text: string): string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (fence === undefined) {
      fence = OPENING_FENCE.exec(line)?.[1];
      lines = [];
    } else if (CLOSING_FENCE.exec(line)?.[1]?.startsWith(fence) === true) {
      blocks.push(lines.join("\n").trim());
      fence = undefined;
    } else {
      lines.push(line);
    }
  }
  return blocks;
}

interface Span {
  start: number;
  /** Exclusive; undefined while the span was never closed. */
  end?: number;
}

function balancedJson(text: string): unknown {
  const spans = topLevelSpans(text);
  const last = spans.findLast((span) => text[span.start] === "{") ?? spans.at(-1);
  if (last?.end === undefined) return undefined;
  return extractContainer(text.slice(last.start, last.end));
}

/** The text that must follow an opening bracket for it to begin a JSON value. */
const OPENS_OBJECT = /\s*["}]/y;
const OPENS_ARRAY = /\s*(?:["{[\]]|-?\d|true\b|false\b|null\b)/y;

/**
 * Outermost bracketed spans, in one pass. Quotes count only inside a span (prose is full of
 * unpaired ones) and a string ends at a line break, which JSON strings cannot contain.
 * A closing bracket of the wrong kind spoils the span it is in: such a span stays without an end.
 */
function topLevelSpans(text: string): Span[] {
  const spans: Span[] = [];
  const open: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"' || char === "\n") inString = false;
    } else if (char === "{" || char === "[") {
      if (open.length > 0 || opensJson(text, at)) {
        if (open.length === 0) spans.push({ start: at });
        open.push(char);
      }
    } else if (open.length === 0) {
      // Prose between the spans.
    } else if (char === '"') {
      inString = true;
    } else if (char === "}" || char === "]") {
      const matches = open.pop() === (char === "}" ? "{" : "[");
      if (!matches) open.length = 0;
      else if (open.length === 0) (spans.at(-1) as Span).end = at + 1;
    }
  }
  return spans;
}

function opensJson(text: string, at: number): boolean {
  const pattern = text[at] === "{" ? OPENS_OBJECT : OPENS_ARRAY;
  pattern.lastIndex = at + 1;
  return pattern.test(text);
}

function parse(text: string): unknown {
  if (isTooMuchJson(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
