import { isAscii } from "node:buffer";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, parse } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/*
 * A process that has just started spends a good part of its time on compiling what it runs. The
 * library's code is one script, and what an earlier process has compiled of it lies beside it.
 * A user who can write there can change the code itself, so it is trusted as the code is. It is a
 * matter of speed alone: without it, or where nothing can be written, everything works the same.
 */

interface Loaded {
  readonly script: Script;
  /** Where its bytecode belongs. */
  readonly path: string;
  /** Checksum of its source, of which the engine compares the length only, and of its path, which stacks would tell. */
  readonly source: number;
}

interface Code {
  /** Where compiled code is kept: beside the library, once that was evaluated. */
  folder?: string;
  /** Scripts that this process had to compile by itself, and of which nothing is to be kept so far. */
  readonly compiledHere: Loaded[];
  /** Whether this process keeps what it compiles. */
  isKept: boolean;
}

const code: Code = { compiledHere: [], isKept: false };

/** Evaluates the library's script in the file at `path`, of ASCII characters only; its value. */
export function evaluateScript(path: string): unknown {
  const bytes = readFileSync(path);
  // A test runner gives a test's modules globals of their own; a kept script would have those of the process.
  if (new Script("globalThis").runInThisContext() !== globalThis) {
    return new Function(`return ${bytes.toString("latin1").trimStart()}`)();
  }
  code.folder ??= join(dirname(path), ".compiled");
  return evaluate({ path, bytes, text: bytes.toString("latin1"), folder: code.folder });
}

/** How a module requires others, by name. */
type Require = (name: string) => unknown;

/**
 * The exports of the CommonJS module in the file at `path`, of a package that the library brings along. Its
 * compiled code is kept with the library's; where the library is no script, it is required like any other module.
 *
 * @param requireIn what the module requires with; `require` is the one that it would have
 */
export function evaluateModule(
  path: string,
  requireIn: (require: NodeJS.Require) => Require = (require) => require,
): unknown {
  const require = createRequire(path);
  const { folder } = code;
  const bytes = folder === undefined ? undefined : readFileSync(path);
  if (folder === undefined || bytes === undefined || !isAscii(bytes)) return require(path);
  const text = `(function (exports, require, module) {${bytes.toString("latin1")}\n})`;
  const module: { exports: unknown } = { exports: {} };
  const body = evaluate({ path, bytes, text, folder }) as (...names: unknown[]) => void;
  body(module.exports, requireIn(require), module);
  return module.exports;
}

function evaluate(file: { path: string; bytes: Buffer; text: string; folder: string }): unknown {
  const { path, bytes, text } = file;
  const kept = { path: codePath(path, file.folder), source: crc32(path, crc32(bytes)) };
  const cachedData = isOff() ? undefined : readCode(kept);
  const script = new Script(text, { filename: path, ...(cachedData !== undefined && { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected === true) {
    code.compiledHere.push({ script, ...kept });
  }
  return script.runInThisContext();
}

/**
 * Keeps the compiled code of this process for the next ones, when it ends, unless `writeCompiledCode` comes
 * first. For processes that run workflows: others know too little of the code.
 */
export function keepCompiledCode(): void {
  if (isOff() || code.isKept) return;
  code.isKept = true;
  process.once("exit", writeCompiledCode);
}

/**
 * Writes what was compiled so far, once. For the moment when most of what a run needs was used and little of it
 * often: the engine notes in it what was, and would compile that once more, to be faster later, in every start.
 */
export function writeCompiledCode(): void {
  if (code.isKept) for (const loaded of code.compiledHere.splice(0)) writeCode(loaded);
}

/** Node's own switch for its compile cache. */
function isOff(): boolean {
  return process.env.NODE_DISABLE_COMPILE_CACHE === "1";
}

/** Bytecode fits one version of the engine; which flags it was made with is in the bytecode itself. */
function codePath(path: string, folder: string): string {
  return join(folder, `${parse(path).name}-${process.version}-${process.arch}`);
}

/** Before the bytecode: checksums of the source and of the bytecode. */
const HEAD_BYTES = 8;

/** Undefined when there is none for this source, or it is not whole: the engine looks at its head only. */
function readCode({ path, source }: Omit<Loaded, "script">): Buffer | undefined {
  let stored: Buffer;
  try {
    stored = readFileSync(path);
  } catch {
    return undefined;
  }
  if (stored.length <= HEAD_BYTES) return undefined;
  const code = stored.subarray(HEAD_BYTES);
  return stored.readUInt32LE(0) === source && stored.readUInt32LE(4) === crc32(code) ? code : undefined;
}

/** Under a name of its own first, so that no process ever reads half of it. */
function writeCode({ script, path, source }: Loaded): void {
  const draft = `${path}.${process.pid}`;
  try {
    const code = script.createCachedData();
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(source, 0);
    head.writeUInt32LE(crc32(code), 4);
    mkdirSync(dirname(path), { recursive: true });
    try {
      writeFileSync(draft, Buffer.concat([head, code]));
      renameSync(draft, path);
    } catch {
      rmSync(draft, { force: true });
    }
  } catch {
    // A folder that takes no files, say: then every process compiles for itself.
  }
}
