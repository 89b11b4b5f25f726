import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { cutText } from "../../tools/tool-call.js";
import { MOST_MANIFEST_BYTES } from "../bundles/limits.js";

/** Between two signs of life of a program that may say nothing for hours, milliseconds. */
const ALIVE_EVERY_MS = 10_000;
/** What the row has of a stream, and what a failure shows, bytes. */
const KEPT_BYTES = 60_000;
const SHOWN_CHARACTERS = 4_096;
/** What processes in the background may still have to say, milliseconds. */
const DRAIN_MS = 1_000;

/** How a program that runs in the place of a workflow has ended, as the result of the sandbox. */
export interface CommandEnd {
  readonly status: "finished" | "failed";
  readonly output?: unknown;
  readonly error?: string;
  readonly retryable?: boolean;
}

/**
 * Runs a program inside. A JSON object that it prints is the row; of any other text the row has the streams and the exit code.
 * @param onAlive called regularly while it runs
 */
export async function runInsideCommand(
  [program = "", ...args]: readonly string[],
  { cwd, input, onAlive }: { cwd: string; input: string; onAlive: () => void },
): Promise<CommandEnd> {
  const alive = setInterval(onAlive, ALIVE_EVERY_MS);
  try {
    const child = spawn(program, args, { cwd, stdio: "pipe" });
    const [stdout, stderr] = [new Kept(child.stdout), new Kept(child.stderr)];
    // A program need not read its input.
    child.stdin.on("error", () => undefined).end(input);
    const closed = once(child, "close");
    closed.catch(() => undefined);
    const [exitCode, killedBy] = (await once(child, "exit")) as [number | null, string | null];
    await Promise.race([closed, delay(DRAIN_MS, undefined, { ref: false })]);
    if (exitCode === 0) return finished(stdout, stderr);
    const said = `${stdout.end()}${stderr.end()}`.trim().slice(-SHOWN_CHARACTERS);
    const how = killedBy === null ? `with exit code ${exitCode}` : `by ${killedBy}`;
    return {
      status: "failed",
      error: `The command ended ${how}${said === "" ? "." : `. It printed:\n${said}\n`}`,
    };
  } catch (error) {
    const { code = (error as Error).message } = error as NodeJS.ErrnoException;
    const why = `The command ${JSON.stringify(program.slice(0, 200))} cannot be started inside (${code}).`;
    return { status: "failed", error: why, retryable: false };
  } finally {
    clearInterval(alive);
  }
}

function finished(stdout: Kept, stderr: Kept): CommandEnd {
  const text = stdout.text();
  if (text.trimStart().startsWith("{")) {
    if (stdout.isCut) {
      const error = `The command printed an object of more than ${MOST_MANIFEST_BYTES} bytes; at most that is taken.`;
      return { status: "failed", error, retryable: false };
    }
    const row = objectOf(text);
    if (row !== undefined) return { status: "finished", output: row };
  }
  const shown = (kept: Kept) => cutText(kept.text(), KEPT_BYTES).text;
  return { status: "finished", output: { stdout: shown(stdout), stderr: shown(stderr), exitCode: 0 } };
}

function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The beginning of a stream, and its end. All of it goes on to this program's own errors, for people. */
class Kept {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #end = "";

  constructor(stream: NodeJS.ReadableStream) {
    stream.on("data", (chunk: Buffer) => {
      process.stderr.write(chunk);
      if (this.#bytes <= MOST_MANIFEST_BYTES) this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      this.#end = `${this.#end}${chunk.toString("utf8")}`.slice(-SHOWN_CHARACTERS);
    });
  }

  get isCut(): boolean {
    return this.#bytes > MOST_MANIFEST_BYTES;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }

  end(): string {
    return this.#end;
  }
}
