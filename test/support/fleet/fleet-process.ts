import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { FleetOrder } from "./program.js";

const OTHER_MACHINE = fileURLToPath(new URL("other-machine.cjs", import.meta.url));

/** A line that a process of a fleet has printed. */
export type FleetLine = Record<string, unknown>;

/** A process of a fleet. */
export class FleetProcess {
  readonly child: ChildProcess;
  readonly lines: FleetLine[] = [];
  /** Resolves with its exit code; null for one that was killed. */
  readonly ended: Promise<number | null>;
  readonly #listeners = new Set<() => void>();
  #errors = "";
  #hasEnded = false;

  constructor(program: string, order: FleetOrder) {
    const { machine } = order;
    const before = machine === undefined ? [] : ["--require", OTHER_MACHINE];
    this.child = spawn(process.execPath, [...before, program, JSON.stringify(order)], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, SERVICE_LOG_LEVEL: "none", TEST_MACHINE: JSON.stringify(machine) },
    });
    let rest = "";
    this.child.stdout?.on("data", (data: Buffer) => {
      const parts = (rest + data.toString()).split("\n");
      rest = parts.pop() ?? "";
      for (const line of parts) if (line.startsWith("{")) this.lines.push(JSON.parse(line) as FleetLine);
      this.#tell();
    });
    this.child.stderr?.on("data", (data: Buffer) => {
      this.#errors += data.toString();
    });
    this.ended = new Promise((resolve) =>
      this.child.once("close", (code) => {
        this.#hasEnded = true;
        this.#tell();
        resolve(code);
      }),
    );
  }

  /** Rejects when it ends by an error of its own; else pending. */
  async failure(): Promise<never> {
    const code = await this.ended;
    if (code === null || code === 0) return new Promise(() => {});
    throw new Error(`A process of the fleet has ended with ${code}:\n${this.#errors.slice(-2_000)}`);
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** The first line that fits, also one that was printed before. */
  line(fits: (line: FleetLine) => boolean): Promise<FleetLine> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.lines.find(fits);
        if (found !== undefined) resolve(found);
        else if (this.#hasEnded)
          reject(new Error(`The process has ended without saying so:\n${this.#errors.slice(-2_000)}`));
        else return;
        this.#listeners.delete(look);
      };
      this.#listeners.add(look);
      look();
    });
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
