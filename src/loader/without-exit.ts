import { ServiceError } from "../errors/service-error.js";

/** Of a file that is being loaded: as messages name it, and its files as a stack may name them. */
interface Loading {
  readonly shown: string;
  readonly paths: readonly string[];
}

/** Of this process, as `process.exit` is. */
const loading = new Set<Loading>();
const patched = { restore() {} };

/**
 * Loads code that must not end the process it is loaded into, which may be at work for others:
 * `process.exit` of the code itself is an error of it. Calls of other code end the process as usual.
 * @throws what `load` throws; WORKFLOW_LOAD_FAILED, from where the code calls `process.exit`
 */
export async function withoutExit<T>(file: Loading, load: () => Promise<T>): Promise<T> {
  loading.add(file);
  if (loading.size === 1) refuseExit();
  try {
    return await load();
  } finally {
    loading.delete(file);
    if (loading.size === 0) patched.restore();
  }
}

function refuseExit(): void {
  const { exit } = process;
  const refusing: typeof exit = (code) => {
    const file = calledBy();
    if (file === undefined) return exit.call(process, code);
    throw new ServiceError(
      "WORKFLOW_LOAD_FAILED",
      `process.exit(${code ?? ""}) while ${file.shown} is loaded would end the whole process. Where there is nothing to do, let the workflow mount no tasks.`,
      { details: { path: file.shown, exitCode: code ?? 0 } },
    );
  };
  process.exit = refusing;
  patched.restore = () => {
    // A function that the code itself has put there meanwhile stays; it may call this one.
    if (process.exit === refusing) process.exit = exit;
  };
}

function calledBy(): Loading | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return [...loading].find(({ paths }) => paths.some((path) => stack.includes(path)));
}
