import type { CliParser } from "../engine.js";
import type { Transcript } from "../transcript.js";

/** Colours and cursor movements. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins them
const ESCAPES = /\u001b\[[0-?]*[ -/]*[@-~]/g;
/** `● [12:34:56] Execute [/bin/sh] ls`: what the tool says about itself. */
const TITLE = /^(?:●|⚠️)\s+\[\d{2}:\d{2}:\d{2}\]\s+(.*)$/u;

/**
 * Reads what Forge prints for people, since it prints nothing else: titles about its doings, and between
 * them the agent's words and the output of its commands. The last block is the answer, unless the
 * conversation gives a better one. Forge exits with 0 when it fails; only a title on stderr tells.
 */
export function createForgeParser(): CliParser {
  let titles = 0;
  return {
    plainText: true,
    text(rawLine, { transcript }) {
      const line = rawLine.replace(ESCAPES, "");
      const title = TITLE.exec(line)?.[1];
      if (title === undefined) {
        transcript.delta(`${line}\n`);
        return;
      }
      transcript.endMessage();
      titles += 1;
      readTitle(title, `title-${titles}`, transcript);
    },
    stderr(rawLine, { transcript }) {
      const title = TITLE.exec(rawLine.replace(ESCAPES, ""))?.[1];
      if (title?.startsWith("ERROR:") === true) {
        transcript.fail({ message: title.slice("ERROR:".length).trim() });
      }
    },
    end: (transcript) => transcript.endMessage(),
  };
}

function readTitle(title: string, id: string, transcript: Transcript): void {
  if (/^(?:Initialize|Continue|Finished)\b/.test(title)) return;
  // On stdout it is an attempt that the tool repeats.
  if (title.startsWith("ERROR:")) {
    transcript.warn({ message: title.slice("ERROR:".length).trim() });
    return;
  }
  const name = /^[A-Za-z]+/.exec(title)?.[0] ?? "tool";
  transcript.progress({
    id,
    name,
    title,
    ...(/^execute/i.test(name) && { kind: "command" as const }),
    ...(/^(?:write|create|update|patch|remove|overwrite)/i.test(name) && { kind: "file_change" as const }),
  });
}
