import { shellWord } from "./shell-word.js";

/**
 * A call of the command line as a person can paste it. Every word is quoted for a shell, and an
 * operand that looks like an option stands behind `--`: an id cannot add `--yes` to a suggestion.
 * Options that are undefined or false are left out.
 */
export function treadleCommand(
  name: string,
  operands: readonly string[],
  options: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const flags = Object.entries(options).flatMap(([flag, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${flag}`];
    const word = shellWord(String(value));
    // Behind a space it would be an option of its own: the value of `--resume` may be missing.
    return String(value).startsWith("-") ? [`--${flag}=${word}`] : [`--${flag}`, word];
  });
  const words = operands.map(shellWord);
  const looksLikeOption = operands.some((operand) => operand.startsWith("-"));
  const tail = looksLikeOption ? [...flags, "--", ...words] : [...words, ...flags];
  return ["treadle", name, ...tail].join(" ");
}
