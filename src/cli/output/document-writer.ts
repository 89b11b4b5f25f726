import { isRecord } from "../../util/is-record.js";
import type { DocumentForm } from "./document-form.js";
import { escapeHidden, jsonLine, jsonText } from "./json-text.js";

/** Writes what programs read. Texts are without a final line break. */
export interface DocumentWriter {
  /** The one document of a command. */
  document(value: unknown): string;
  /** One of many that a command prints as it goes. */
  streamed(value: unknown): string;
  /** As `document`, with everything in it: an error is written whole. */
  whole(value: unknown): string;
  /** As `streamed`, with everything in it. */
  streamedWhole(value: unknown): string;
  /** Paths of `--filter-output` that the document does not have. */
  missing(value: unknown): MissingPath[];
}

export async function createDocumentWriter({ format, keep }: DocumentForm): Promise<DocumentWriter> {
  const kept = (value: unknown) => (keep === undefined ? value : filterDocument(value, keep));
  const missing = (value: unknown) => (keep === undefined ? [] : missingPaths(value, keep));
  if (format === "yaml") {
    const { stringify } = await import("yaml");
    // Between quotes YAML has JSON's escapes, so that hidden characters are seen and mean the same.
    const quoted = { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "QUOTE_DOUBLE" } as const;
    const yamlText = (value: unknown) => {
      // As JSON has it: dates as texts, nothing that is undefined.
      const data: unknown = JSON.parse(JSON.stringify(value ?? null));
      const text = stringify(data, { lineWidth: 0 }).trimEnd();
      return escapeHidden(text) === text
        ? text
        : escapeHidden(stringify(data, { lineWidth: 0, ...quoted }).trimEnd());
    };
    return {
      document: (value) => yamlText(kept(value)),
      streamed: (value) => `---\n${yamlText(kept(value))}`,
      whole: yamlText,
      streamedWhole: (value) => `---\n${yamlText(value)}`,
      missing,
    };
  }
  const whole = format === "jsonl" ? jsonLine : (value: unknown) => jsonText(value);
  return {
    document: (value) => whole(kept(value)),
    streamed: (value) => jsonLine(kept(value)),
    whole,
    streamedWhole: jsonLine,
    missing,
  };
}

/** The document with nothing but what the paths lead to. A path goes through every element of a list. */
function filterDocument(document: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.some((path) => path.length === 0)) return document;
  if (Array.isArray(document)) return document.map((element) => filterDocument(element, paths));
  if (!isRecord(document)) return document;
  const kept = Object.entries(document).flatMap(([name, value]) => {
    const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    return below.length === 0 ? [] : [[name, filterDocument(value, below)] as const];
  });
  return Object.fromEntries(kept);
}

interface MissingPath {
  path: string;
  /** The names that there are instead. */
  names: string[];
}

/** Paths that lead nowhere in the document. Nothing is missing in an empty list. */
function missingPaths(document: unknown, paths: readonly (readonly string[])[]): MissingPath[] {
  return paths.flatMap((path) => {
    let level: unknown[] = [document];
    for (const [index, name] of path.entries()) {
      level = level.flatMap((value) => (Array.isArray(value) ? (value as unknown[]).flat(8) : [value]));
      if (level.length === 0) return [];
      const objects = level.filter(isRecord);
      level = objects.flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : []));
      if (level.length > 0) continue;
      const names = [...new Set(objects.flatMap((value) => Object.keys(value)))];
      return [{ path: path.slice(0, index + 1).join("."), names }];
    }
    return [];
  });
}
