import type { SplitLine } from "../process/line-splitter.js";
import type { CliParser, ParserTarget } from "./engine.js";
import { isRecord } from "../../util/is-record.js";

/** Characters at the end of a cut line that may be half of a secret. */
const UNSURE_END = 4_096;

/** Gives one line of stdout to the parser; returns it when it is not part of the tool's protocol. */
export function readLine(line: SplitLine, parser: CliParser, target: ParserTarget): string | undefined {
  const text = line.cutBytes > 0 ? line.text.slice(0, -UNSURE_END) : line.text;
  if (parser.plainText === true) {
    parser.text?.(text, target);
    return text;
  }
  if (line.cutBytes > 0) {
    const bytes = Buffer.byteLength(line.text) + line.cutBytes;
    target.transcript.notice(`A line of ${bytes} bytes was too long and has been left out.`);
    return undefined;
  }
  const value = text.startsWith("{") ? parsed(text) : undefined;
  if (value === undefined) {
    parser.text?.(text, target);
    return text;
  }
  parser.json?.(value, target);
  return undefined;
}

/** Undefined for half a line and whatever else begins like JSON. */
function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
