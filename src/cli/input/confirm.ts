import { createInterface } from "node:readline/promises";
import { ServiceError } from "../../errors/service-error.js";
import type { Terminal } from "../terminal.js";

/**
 * Asks before something is done. Without a terminal nobody is asked: the caller
 * has to say `--yes`.
 * @throws CLI_USAGE naming the flag
 */
export async function confirm(
  question: string,
  { terminal, yes }: { terminal: Terminal; yes: boolean },
): Promise<boolean> {
  if (yes) return true;
  if (!terminal.isInteractive) {
    throw new ServiceError("CLI_USAGE", "Nobody can be asked here: add --yes to go on without a question.", {
      details: { flag: "--yes" },
    });
  }
  const answer = await ask(`${question} [y/N] `, terminal);
  return /^y(es)?$/i.test(answer);
}

/** One line from the terminal. The question goes to stderr; stdout is for results. */
export async function ask(question: string, terminal: Terminal): Promise<string> {
  const lines = createInterface({ input: terminal.input });
  terminal.err.write(question);
  try {
    for await (const line of lines) return line.trim();
    return "";
  } finally {
    lines.close();
  }
}
