import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ServiceError } from "../../errors/service-error.js";
import { checkTrustedCode, findWorkspaceFolder } from "../../store/index.js";
import { nearest } from "../../util/nearest.js";

/** A file that holds a workflow. */
export interface WorkflowFile {
  /** Its name without the ending. */
  name: string;
  /** Absolute. */
  path: string;
}

/** Where gateways without a configuration find their workflows. */
export const WORKFLOW_FOLDER = join(".service", "workflows");
/** Besides, of the workspace: here only files that use the library. */
const OTHER_FOLDERS = [".", "workflows"];
const WORKFLOW_FILE = /^(?!.*\.(?:test|spec|d)\.)[\w-]+\.(?:tsx|ts|jsx|js)$/;
const CODE_ENDING = /\.[cm]?[jt]sx?$/;
/** Marks of a file that gives a workflow: a default export, and where its parts come from. */
const DEFAULT_EXPORT = /^\s*export\s+(?:default\b|\{[^}]*\bas\s+default\b)/m;
const USES_LIBRARY = /\bfrom\s*["']treadle["']|@jsxImportSource\s+treadle\b/;
/** A larger one is no workflow of an author. */
const LARGEST_BYTES = 1_048_576;

/** The workflow files of a folder as a gateway takes them, by name. */
export function workflowFilesIn(folder: string): WorkflowFile[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => WORKFLOW_FILE.test(name)) : [];
  return names.toSorted().map((name) => ({ name: basename(name, extname(name)), path: join(folder, name) }));
}

/**
 * The workflow files of a workspace: those of `.service/workflows`, then those directly in the workspace and in
 * its folder `workflows` that import the library and have a default export. None of them is loaded.
 */
export function findWorkflows(root: string): WorkflowFile[] {
  const others = OTHER_FOLDERS.flatMap((folder) => workflowFilesIn(join(root, folder)));
  return [
    ...workflowFilesIn(join(root, WORKFLOW_FOLDER)),
    ...others.filter(({ path }) => looksLikeOne(path)),
  ];
}

function looksLikeOne(path: string): boolean {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > LARGEST_BYTES) return false;
    const text = readFileSync(path, "utf8");
    return USES_LIBRARY.test(text) && DEFAULT_EXPORT.test(text);
  } catch {
    // Another user's, or just deleted.
    return false;
  }
}

/** The folder whose workflows a call from here may name. */
export function workflowRoot(cwd: string): string {
  return findWorkspaceFolder(cwd) ?? resolve(cwd);
}

/**
 * The file that a person means: a path, or the name of a workflow of the workspace; of several with one name
 * that of `.service/workflows`.
 * @throws WORKFLOW_NOT_FOUND for a name that there is not; INVALID_INPUT with the candidates for one of several;
 * WORKSPACE_NOT_TRUSTED for a name whose file another user could have written
 */
export function resolveWorkflow(reference: string, cwd: string): string {
  const isPath = isAbsolute(reference) || reference.includes(sep) || CODE_ENDING.test(reference);
  // The loader reports a wrong path.
  const path = resolve(cwd, reference);
  if (isPath || (existsSync(path) && statSync(path).isFile())) return path;
  const root = workflowRoot(cwd);
  const all = findWorkflows(root);
  const named = all.filter(({ name }) => name === reference);
  const [only, ...others] = named.length === 1 ? named : preferred(named, root);
  if (only === undefined && existsSync(path)) return path;
  if (only === undefined) throw notFound(reference, { root, cwd, all });
  if (others.length === 0) {
    checkTrustedCode(only.path);
    return only.path;
  }
  const candidates = named.map(({ path }) => relative(cwd, path));
  throw new ServiceError(
    "INVALID_INPUT",
    `Several workflows are named ${reference}: ${candidates.join(", ")}. Give the path of one.`,
    { details: { workflow: reference, candidates } },
  );
}

/** Gateways know those of their folder by name, and no others. */
function preferred(named: readonly WorkflowFile[], root: string): readonly WorkflowFile[] {
  const ofGateway = named.filter(({ path }) => path.startsWith(join(root, WORKFLOW_FOLDER) + sep));
  return ofGateway.length > 0 ? ofGateway : named;
}

function notFound(
  reference: string,
  { root, cwd, all }: { root: string; cwd: string; all: readonly WorkflowFile[] },
): ServiceError {
  const names = [...new Set(all.map(({ name }) => name))];
  const close = nearest(reference, names);
  const hint = close === undefined ? "" : ` Did you mean ${close}?`;
  const where = relative(cwd, root) || "this workspace";
  return new ServiceError(
    "WORKFLOW_NOT_FOUND",
    `There is no file ${reference}, and no workflow of that name in ${where}.${hint}`,
    { details: { workflow: reference, names: names.slice(0, 20) } },
  );
}
