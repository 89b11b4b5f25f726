/** Forms of an answer that programs read. `table`, the text for people, is the default. */
export const DOCUMENT_FORMATS = ["json", "jsonl", "yaml"] as const;

export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** How documents are written: `--json`, `--format`, `--filter-output`. */
export interface DocumentForm {
  format: DocumentFormat;
  /** Paths that are kept, each as its names; undefined for everything. */
  keep: string[][] | undefined;
}

export interface FormOptions {
  json?: boolean | undefined;
  format?: string | undefined;
  filterOutput?: string | undefined;
}

/** The form that the options ask for; undefined for text. */
export function formOf({ json, format, filterOutput }: FormOptions): DocumentForm | undefined {
  const named = DOCUMENT_FORMATS.find((candidate) => candidate === format);
  if (named === undefined && json !== true && (filterOutput === undefined || format !== undefined))
    return undefined;
  return { format: named ?? "json", keep: filterOutput === undefined ? undefined : pathsOf(filterOutput) };
}

/**
 * The form that a command line asks for before it is parsed: its own errors are
 * reported in that form too.
 */
export function requestedForm(argv: readonly string[]): DocumentForm | undefined {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  const givenFor = (flag: string): string | undefined => {
    const at = words.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
    return at < 0
      ? undefined
      : words[at]?.startsWith(`${flag}=`)
        ? words[at].slice(flag.length + 1)
        : words[at + 1];
  };
  return formOf({
    json: words.includes("--json"),
    format: givenFor("--format"),
    filterOutput: givenFor("--filter-output"),
  });
}

/** `runs.runId,nextCursor` as `[["runs", "runId"], ["nextCursor"]]`. */
export function pathsOf(list: string): string[][] {
  return list
    .split(",")
    .map((path) => path.trim().split("."))
    .filter((names) => names.every((name) => name !== ""));
}
