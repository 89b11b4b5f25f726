import type { CliParser } from "../engine.js";

/** For output formats that are the answer and nothing else. */
export function createPlainTextParser(): CliParser {
  return {
    plainText: true,
    text: (line, { transcript }) => transcript.delta(`${line}\n`),
    end: (transcript) => transcript.endMessage(),
  };
}
