import type { Readable } from "node:stream";
import { ServiceError } from "../../errors/service-error.js";
import { visibleLine } from "../output/visible-text.js";
import type { Terminal } from "../terminal.js";

/**
 * Asks before something is done. Without a terminal there is no question: the caller
 * has to say `--yes`.
 * @throws CLI_USAGE naming the flag
 */
export async function confirm(
  question: string,
  { terminal, yes }: { terminal: Terminal; yes: boolean },
): Promise<boolean> {
  if (yes) return true;
  if (!terminal.isInteractive) {
    throw new ServiceError(
      "CLI_USAGE",
      "There is no terminal to ask on: add --yes to continue without a question.",
      {
        details: { flag: "--yes" },
      },
    );
  }
  const answer = await ask(`${question} [y/N] `, terminal);
  return /^y(es)?$/i.test(answer);
}

/** One line from the terminal. The question goes to stderr; stdout is for results. */
export async function ask(
  question: string,
  { err, input }: Pick<Terminal, "err" | "input">,
): Promise<string> {
  err.write(visibleLine(question));
  return (await readLine(input)).trim();
}

/** Takes one line and leaves what was typed ahead for the next question. */
async function readLine(input: Readable): Promise<string> {
  let text = "";
  for await (const chunk of input.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const end = text.indexOf("\n");
    if (end < 0) continue;
    if (end + 1 < text.length) input.unshift(text.slice(end + 1));
    return text.slice(0, end);
  }
  return text;
}
