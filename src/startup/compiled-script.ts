import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/*
 * A process that has just started spends a good part of its time on compiling what it runs. The
 * library's code is one script, and what an earlier process has compiled of it lies beside it.
 * Whoever can write there can change the code itself, so it is trusted as the code is. It is a
 * matter of speed alone: without it, or where nothing can be written, everything works the same.
 */

interface Loaded {
  readonly script: Script;
  readonly path: string;
}

/** Scripts that this process had to compile by itself. */
const compiledHere: Loaded[] = [];
const kept = new Set<Loaded>();

/** Evaluates the script in the file at `path`, of ASCII characters only; its value. */
export function evaluateScript(path: string): unknown {
  const source = readFileSync(path, "latin1");
  const cachedData = isOff() ? undefined : readCode(codePath(path));
  const script = new Script(source, { filename: path, ...(cachedData !== undefined && { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected === true) compiledHere.push({ script, path });
  return script.runInThisContext();
}

/**
 * What this process compiles is kept for the next ones, when it ends. For processes that run
 * workflows: others know too little of the code.
 */
export function keepCompiledCode(): void {
  if (isOff()) return;
  for (const loaded of compiledHere) {
    if (kept.has(loaded)) continue;
    kept.add(loaded);
    process.once("exit", () => writeCode(loaded));
  }
}

/** Node's own switch for its compile cache. */
function isOff(): boolean {
  return process.env.NODE_DISABLE_COMPILE_CACHE === "1";
}

/** Bytecode fits one version of the engine; which flags it was made with is in the bytecode itself. */
function codePath(path: string): string {
  const { dir, name } = parse(path);
  return join(dir, ".compiled", `${name}-${process.version}-${process.arch}`);
}

/** Undefined when there is none, or it is not whole: the engine looks at its head only. */
function readCode(path: string): Buffer | undefined {
  let stored: Buffer;
  try {
    stored = readFileSync(path);
  } catch {
    return undefined;
  }
  if (stored.length <= 4) return undefined;
  const code = stored.subarray(4);
  return crc32(code) === stored.readUInt32LE(0) ? code : undefined;
}

/** Under a name of its own first, so that no process ever reads half of it. */
function writeCode({ script, path }: Loaded): void {
  const to = codePath(path);
  const draft = `${to}.${process.pid}`;
  try {
    const code = script.createCachedData();
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(code));
    mkdirSync(dirname(to), { recursive: true });
    try {
      writeFileSync(draft, Buffer.concat([sum, code]));
      renameSync(draft, to);
    } catch {
      rmSync(draft, { force: true });
    }
  } catch {
    // A folder that takes no files, say: then every process compiles for itself.
  }
}
