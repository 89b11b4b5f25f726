import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { ServiceError } from "../../errors/service-error.js";
import type { Terminal } from "../terminal.js";

/**
 * The value of an option that takes JSON: the text itself, `@file`, or `-` for
 * standard input.
 * @throws CLI_USAGE naming the option, for a missing file or text that is not JSON
 */
export async function readJsonArgument(
  { option, value }: { option: string; value: string },
  { cwd, input }: Pick<Terminal, "cwd" | "input">,
): Promise<unknown> {
  const { text, from } = await readTextArgument({ option, value }, { cwd, input });
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const problem = (cause as Error).message;
    throw new ServiceError("CLI_USAGE", `${option}: ${from} is not JSON: ${problem}.`, {
      details: { option },
      cause,
    });
  }
}

/** As readJsonArgument, for options whose value is an object. */
export async function readJsonObject(
  argument: { option: string; value: string },
  terminal: Pick<Terminal, "cwd" | "input">,
): Promise<Record<string, unknown>> {
  const value = await readJsonArgument(argument, terminal);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  const received = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
  throw new ServiceError("CLI_USAGE", `${argument.option}: expected a JSON object, received ${received}.`, {
    details: { option: argument.option },
  });
}

/** As it stands there: the text itself, `@file`, or `-` for standard input. @throws CLI_USAGE naming the option */
export async function readTextArgument(
  { option, value }: { option: string; value: string },
  { cwd, input }: Pick<Terminal, "cwd" | "input">,
): Promise<{ text: string; from: string }> {
  if (value === "-") return { text: await readAll(input), from: "standard input" };
  if (!value.startsWith("@")) return { text: value, from: "the given text" };
  const file = value.slice(1);
  try {
    return { text: await readFile(resolve(cwd, file), "utf8"), from: file };
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw new ServiceError(
      "CLI_USAGE",
      `${option}: ${file} ${missing ? "does not exist" : "cannot be read"}.`,
      {
        details: { option, file },
        cause,
      },
    );
  }
}

async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk as Buffer | string));
  return Buffer.concat(chunks).toString("utf8");
}
