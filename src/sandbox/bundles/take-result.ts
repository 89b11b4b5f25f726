import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import type { SandboxBundle, SandboxResult } from "../../model/sandbox-provider.js";
import type { BoundSecrets } from "../egress/secrets.js";
import { type BundleFiles, invalidBundle, MANIFEST, readBundleFiles, STREAM_LOG } from "./bundle-files.js";
import { type WholeFile, wholeFile } from "../patches/whole-files.js";
import { refuseLargeOutput, refuseLongManifest } from "./limits.js";
import { checkBundle, checkedResult, isBundle } from "./result-form.js";

/** Changes as a provider gives them. */
export interface GivenChanges {
  /** Patches as one text, in their order. */
  readonly patch: Buffer;
  readonly wholeFiles: readonly WholeFile[];
}

/** What a provider has given, in whichever form, after all checks. */
export interface TakenResult {
  readonly result: SandboxResult;
  /** The changes, where they do not stand in the sandbox's files. */
  readonly changes?: GivenChanges;
  /** Files that stay, relative to the folder of results. */
  readonly artifacts: readonly string[];
  /** What the sandbox has printed. */
  readonly log?: string;
}

/**
 * Reads the result of a provider: an object, or a bundle in the folder of results.
 * @param folder of the results
 * @throws SANDBOX_BUNDLE_INVALID, SANDBOX_BUNDLE_TOO_LARGE
 */
export async function takeResult(
  given: SandboxResult | SandboxBundle,
  { folder, secrets }: { folder: string; secrets: BoundSecrets },
): Promise<TakenResult> {
  const refuseSecrets = (taken: TakenResult) => {
    for (const { path, content } of taken.changes?.wholeFiles ?? [])
      secrets.refuseIn(content, `${path} of the sandbox's diffBundle`);
    return taken;
  };
  const look = secrets.isEmpty
    ? undefined
    : (content: Buffer, path: string) => secrets.refuseIn(content, `${path} of the sandbox's bundle`);
  if (!isBundle(given)) {
    const result = checkedResult(given, "The result of the sandbox");
    checkOutput(result);
    const { patches, artifacts, streamLogPath } = result;
    const isInFiles = [patches, artifacts, streamLogPath].some((each) => each !== undefined);
    return refuseSecrets(take(result, isInFiles ? await readBundleFiles(folder, [], look) : NO_FILES, ""));
  }
  checkBundle(given);
  const { bundlePath, ...where } = given;
  const below = placeOf(bundlePath, folder);
  const files = await readBundleFiles(folder, below, look);
  if (files.manifest === undefined) throw invalidBundle(MANIFEST, "is not there");
  const result = checkedResult(parsed(files.manifest), `${MANIFEST} of the sandbox's bundle`);
  checkOutput(result);
  return refuseSecrets(take({ ...result, ...where }, files, below.map((name) => `${name}/`).join("")));
}

const NO_FILES: BundleFiles = { patches: new Map(), artifacts: [] };

function take(result: SandboxResult, files: BundleFiles, prefix: string): TakenResult {
  const patches = named(result.patches, [...files.patches.keys()], "patches");
  const artifacts = named(result.artifacts, files.artifacts, "artifacts");
  const { streamLogPath = STREAM_LOG } = result;
  if (streamLogPath !== STREAM_LOG) throw invalidBundle(streamLogPath, `is not ${STREAM_LOG}`);
  if (result.streamLogPath !== undefined && files.log === undefined)
    throw invalidBundle(STREAM_LOG, "is not there");
  const changes = changesOf(
    result,
    patches.flatMap((path) => files.patches.get(path) ?? []),
  );
  return {
    result,
    artifacts: artifacts.map((path) => `${prefix}${path}`),
    ...(changes !== undefined && { changes }),
    ...(files.log !== undefined && { log: files.log.toString("utf8") }),
  };
}

/** Undefined: what differs in the sandbox's files are the changes. */
function changesOf(
  { diffBundle, patches }: SandboxResult,
  ofFiles: readonly Buffer[],
): GivenChanges | undefined {
  if (diffBundle !== undefined && ofFiles.length > 0)
    throw invalidBundle("patches", "stand beside a diffBundle: the changes are in one place");
  if (diffBundle === undefined && patches === undefined && ofFiles.length === 0) return undefined;
  const [parts, wholeFiles]: [Buffer[], WholeFile[]] = [[...ofFiles], []];
  for (const each of diffBundle?.patches ?? []) {
    const whole = wholeFile(each);
    if (whole === undefined) parts.push(Buffer.from(each.diff));
    else wholeFiles.push(whole);
  }
  const lines = parts.flatMap((part) =>
    part.length === 0 || part.at(-1) === 0x0a ? [part] : [part, Buffer.from("\n")],
  );
  return { patch: Buffer.concat(lines), wholeFiles };
}

/** Those that are named, in that order; without names all of them. What is there without being named would be dropped in silence. */
function named(
  names: readonly string[] | undefined,
  there: readonly string[],
  what: string,
): readonly string[] {
  if (names === undefined) return there;
  const missing = names.find((name) => !there.includes(name));
  if (missing !== undefined) throw invalidBundle(missing, `is named among its ${what} and is not there`);
  const [other] = there.filter((path) => !names.includes(path));
  if (other !== undefined) throw invalidBundle(other, `is not named among its ${what}`);
  if (new Set(names).size < names.length) throw invalidBundle(what, "have one of their names twice");
  return names;
}

/** The folders that lead from the folder of results to the bundle. @throws SANDBOX_BUNDLE_INVALID outside of it */
function placeOf(bundlePath: string, folder: string): string[] {
  const path = resolve(folder, bundlePath);
  for (const root of [folder, realpathSync(folder)]) {
    const way = relative(root, path);
    if (way === "") return [];
    if (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`)) return way.split(sep);
  }
  throw new ServiceError(
    "SANDBOX_BUNDLE_INVALID",
    `The bundle of the sandbox is at ${JSON.stringify(bundlePath.slice(0, 1_024))}, which is not in the folder of its results (\`resultBundlePath\`): nothing of it was taken.`,
    { details: { bundlePath: bundlePath.slice(0, 1_024) } },
  );
}

function parsed(manifest: Buffer): unknown {
  try {
    return JSON.parse(manifest.toString("utf8"));
  } catch {
    throw invalidBundle(MANIFEST, "is not JSON");
  }
}

function checkOutput({ output }: SandboxResult): void {
  refuseLargeOutput(output);
  refuseLongManifest(Buffer.byteLength(JSON.stringify(output) ?? ""));
}
