/** One line with a value. */
export interface ParsedSample {
  /** With suffix: `service_run_duration_ms_bucket`. */
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface ParsedFamily {
  name: string;
  help: string;
  type: string;
  samples: ParsedSample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;
const NUMBER = /^(?:\+Inf|-Inf|NaN|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e[+-][0-9]+)?)$/;
const SUFFIXES: Record<string, readonly string[]> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
};

/**
 * Reads the text format 0.0.4 and refuses everything that a lenient reader would let pass: families without HELP or
 * TYPE or in two pieces, series that come twice, escapes and numbers that the format does not know.
 */
export function parseExposition(text: string): Map<string, ParsedFamily> {
  if (!text.endsWith("\n")) throw new Error("The last line does not end.");
  const families = new Map<string, ParsedFamily>();
  const series = new Set<string>();
  let help: { name: string; text: string } | undefined;
  let current: ParsedFamily | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const refuse = (why: string): never => {
      throw new Error(`${why}: ${line}`);
    };
    const helpLine = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\]|\\\\[\\\\n])*)$`).exec(line);
    if (helpLine !== null) {
      if (help !== undefined) refuse("two HELP lines");
      help = { name: helpLine[1] as string, text: unescaped(helpLine[2] as string) };
      continue;
    }
    const typeLine = new RegExp(`^# TYPE (${NAME}) (\\w+)$`).exec(line);
    if (typeLine !== null) {
      const [, name = "", type = ""] = typeLine;
      if (help?.name !== name) refuse("no HELP right before");
      if (families.has(name)) refuse("a family in two pieces");
      if (SUFFIXES[type] === undefined) refuse("an unknown type");
      current = { name, type, help: help?.text ?? "", samples: [] };
      families.set(name, current);
      help = undefined;
      continue;
    }
    const sampleLine = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`).exec(line);
    if (sampleLine === null) return refuse("not a line of the format");
    const [, name = "", labelText, valueText = ""] = sampleLine;
    const family = current;
    if (family === undefined || help !== undefined) return refuse("a value without a family");
    const isOwn = (SUFFIXES[family.type] as string[]).some((suffix) => name === family.name + suffix);
    if (!isOwn) refuse(`a value that does not belong to ${family.name}`);
    if (!NUMBER.test(valueText)) refuse("not a number");
    const labels = labelText === undefined ? {} : parseLabels(labelText);
    const id = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    if (series.has(id)) refuse("a series that comes twice");
    series.add(id);
    family.samples.push({ name, labels, value: Number(valueText.replace("Inf", "Infinity")) });
  }
  if (help !== undefined) throw new Error(`HELP without a family: ${help.name}`);
  return families;
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let end = 0;
  while (end < text.length) {
    const found = LABEL.exec(text);
    if (found === null) throw new Error(`not labels: ${text}`);
    const [, name = "", value = ""] = found;
    if (name in labels) throw new Error(`a label that comes twice: ${text}`);
    labels[name] = unescaped(value);
    end = LABEL.lastIndex;
  }
  if (text === "" || text.endsWith(",")) throw new Error(`no label where one must be: {${text}}`);
  return labels;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
}
