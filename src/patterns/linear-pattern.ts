/** A regular expression whose matching takes time linear in the length of the text, whatever the expression is. */
export interface LinearPattern {
  /** Whether some part of `text` matches. */
  test(text: string): boolean;
}

/** Longest expression, in characters. */
const LONGEST_SOURCE = 10_000;
/**
 * Most instructions of a compiled expression. Time is text length times this in the worst case: about
 * a quarter of a second for 16,384 characters.
 */
const MOST_INSTRUCTIONS = 1_000;

/**
 * Compiles an expression of an untrusted author, in the syntax of JavaScript without what
 * needs backtracking: look-around and back references.
 */
export async function compileLinearPattern(
  source: string,
  options: { ignoreCase?: boolean } = {},
): Promise<{ pattern: LinearPattern } | { problem: string }> {
  if (source.length > LONGEST_SOURCE) return { problem: `it has more than ${LONGEST_SOURCE} characters` };
  // Loaded when the first pattern asks for it: most runs never do.
  const { RE2JS } = await import("re2js");
  try {
    const flags = options.ignoreCase === true ? RE2JS.CASE_INSENSITIVE : 0;
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source), flags);
    if (pattern.programSize() > MOST_INSTRUCTIONS) return { problem: "its repetitions make it too large" };
    return { pattern: { test: (text) => pattern.test(text) } };
  } catch (error) {
    return { problem: inWords(error as Error) };
  }
}

function inWords({ message }: Error): string {
  if (/`\(\?<?[=!]|`\\\d`/.test(message)) {
    return `${message}; look-ahead, look-behind and back references are not supported`;
  }
  return message;
}
