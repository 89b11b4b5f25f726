import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { MOST_BYTES, tooLarge } from "./document-limits.js";
import { fetchDocument, type FetchedDocument } from "./fetch-document.js";
import { checkSpecVersion, loadFailure, parseSpec } from "./parse-spec.js";
import { rootCauseText } from "./root-cause.js";
import type { OpenApiSpec } from "./spec.js";

/** A parsed document, a path, an `http(s)` URL, or JSON or YAML text. */
export type OpenApiInput = string | OpenApiSpec;

export interface LoadedSpec {
  readonly spec: OpenApiSpec;
  /** Address the document came from after redirects; relative server URLs start here. */
  readonly url?: URL;
  /** Origin of the URL that the caller named: a host that only the caller has chosen. */
  readonly chosenOrigin?: string;
  /** Objects that occur at several places of the document; empty for plain JSON. */
  readonly shared: ReadonlySet<object>;
}

const FETCH_TIMEOUT_MS = 30_000;

/** Reads any input. Throws OPENAPI_SPEC_LOAD_FAILED with the reason. */
export async function loadSpec(input: OpenApiInput): Promise<LoadedSpec> {
  const origin = classify(input);
  switch (origin.kind) {
    case "url":
      return fetchSpec(origin.url);
    case "file":
      try {
        return loaded(parseSpec(await readFile(checkedSize(origin.path), "utf8"), String(origin.path)));
      } catch (error) {
        throw readFailure(String(origin.path), error);
      }
    default:
      return loadInMemory(origin);
  }
}

/** Like {@link loadSpec} for everything but URLs, which need the asynchronous factories. */
export function loadSpecSync(input: OpenApiInput): LoadedSpec {
  const origin = classify(input);
  switch (origin.kind) {
    case "url":
      throw loadFailure(
        nameOf(origin.url),
        "is behind a URL, which cannot be fetched synchronously; use the asynchronous factory",
      );
    case "file":
      try {
        return loaded(parseSpec(readFileSync(checkedSize(origin.path), "utf8"), String(origin.path)));
      } catch (error) {
        throw readFailure(String(origin.path), error);
      }
    default:
      return loadInMemory(origin);
  }
}

type InMemory = { kind: "text"; text: string } | { kind: "object"; spec: unknown };
type Origin = InMemory | { kind: "url"; url: URL } | { kind: "file"; path: string | URL };

function classify(input: unknown): Origin {
  if (typeof input !== "string") return { kind: "object", spec: input };
  // No path spans lines, and no document of use fits on one line without braces.
  if (input.includes("\n") || /^\s*[[{]/.test(input)) return { kind: "text", text: input };
  if (/^https?:\/\//i.test(input) && URL.canParse(input)) return { kind: "url", url: new URL(input) };
  if (input.startsWith("file:") && URL.canParse(input)) return { kind: "file", path: new URL(input) };
  if (input.trim() === "") throw loadFailure("given as text", "is empty");
  return { kind: "file", path: input };
}

function loadInMemory(origin: InMemory): LoadedSpec {
  return loaded(
    origin.kind === "text"
      ? parseSpec(origin.text, "given as text")
      : checkSpecVersion(origin.spec, "given as an object"),
  );
}

function loaded(spec: OpenApiSpec, origin: Pick<LoadedSpec, "url" | "chosenOrigin"> = {}): LoadedSpec {
  return { spec, shared: sharedObjects(spec), ...origin };
}

async function fetchSpec(url: URL): Promise<LoadedSpec> {
  if (url.username !== "" || url.password !== "") {
    throw loadFailure(nameOf(url), "has credentials in its address; fetch it yourself and pass its text");
  }
  let fetched: FetchedDocument;
  try {
    fetched = await fetchDocument(url, AbortSignal.timeout(FETCH_TIMEOUT_MS));
  } catch (cause) {
    throw loadFailure(nameOf(url), `cannot be fetched: ${rootCauseText(cause)}`, { cause, retryable: true });
  }
  const { text, answer, from } = fetched;
  if (!answer.ok) {
    throw loadFailure(
      nameOf(url),
      `cannot be fetched: HTTP ${answer.status} ${answer.statusText}`.trimEnd(),
      {
        details: { httpStatus: answer.status },
        retryable: answer.status >= 500 || answer.status === 429,
      },
    );
  }
  if (text === undefined) throw loadFailure(nameOf(url), tooLarge(MOST_BYTES));
  return loaded(parseSpec(text, nameOf(from)), { url: from, chosenOrigin: url.origin });
}

/** The path of a file that is small enough to be read. */
function checkedSize(path: string | URL): string | URL {
  if (statSync(path).size > MOST_BYTES) throw loadFailure(String(path), tooLarge(MOST_BYTES));
  return path;
}

/** An address without the parts that may hold credentials. */
function nameOf(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function readFailure(path: string, error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  // A failure to parse already says where and why.
  if (code === "OPENAPI_SPEC_LOAD_FAILED") return error;
  const reason = code === "ENOENT" ? "does not exist" : `cannot be read: ${rootCauseText(error)}`;
  return loadFailure(path, reason, { cause: error });
}

/**
 * Objects that are reachable at more than one place of a document: YAML
 * aliases, and references that were replaced by their targets. They are
 * treated like `$ref` targets, which keeps cyclic documents finite and widely
 * shared ones small.
 */
function sharedObjects(document: object): ReadonlySet<object> {
  const seen = new Set<object>();
  const shared = new Set<object>();
  const pending: object[] = [document];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    if (seen.has(current)) {
      shared.add(current);
      continue;
    }
    seen.add(current);
    for (const value of Object.values(current)) {
      if (typeof value === "object" && value !== null) pending.push(value);
    }
  }
  return shared;
}
