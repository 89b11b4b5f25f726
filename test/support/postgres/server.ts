import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { postgresPrograms } from "./binaries.js";

/** User and group of `nobody`: Postgres does not run as root. */
const NOBODY = 65_534;

/** A server whose data is gone with it. What a crash of the machine takes away is not what tests look at. */
export class PostgresServer {
  readonly #programs: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #user: { uid?: number; gid?: number };
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  static async start(settings: readonly string[] = []): Promise<PostgresServer> {
    const server = new PostgresServer(await freePort(), settings);
    await server.start();
    return server;
  }

  private constructor(port: number, settings: readonly string[]) {
    this.#port = port;
    this.#settings = settings;
    this.#programs = postgresPrograms();
    this.#folder = mkdtempSync(join(tmpdir(), "treadle-postgres-"));
    const isRoot = process.getuid?.() === 0;
    this.#user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    if (isRoot) chownSync(this.#folder, NOBODY, NOBODY);
    const options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    execFileSync(join(this.#programs, "initdb"), ["-D", this.#folder, ...options], {
      ...this.#user,
      stdio: "pipe",
    });
    process.once("exit", this.#onExit);
  }

  url(database = "postgres"): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`;
  }

  /** Also after `stop`. */
  async start(): Promise<void> {
    const settings = [
      "fsync=off",
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=200",
      "shared_buffers=32MB",
      ...this.#settings,
    ];
    this.#process = spawn(
      join(this.#programs, "postgres"),
      ["-D", this.#folder, "-p", String(this.#port), ...settings.flatMap((setting) => ["-c", setting])],
      { ...this.#user, stdio: "ignore" },
    );
    const ended = new Promise<never>((_resolve, reject) => {
      this.#process?.once("exit", () => reject(new Error("The Postgres of the tests has ended.")));
    });
    ended.catch(() => {});
    while (!(await this.#answers())) await Promise.race([pause(20), ended]);
  }

  /** `immediate`: as if it were killed; `fast`: connections are closed. */
  async stop(how: "fast" | "immediate" = "fast"): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop("immediate");
    process.removeListener("exit", this.#onExit);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  readonly #onExit = () => {
    this.#process?.kill("SIGQUIT");
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  };

  async #answers(): Promise<boolean> {
    const client = new pg.Client(this.url());
    // It may be reset while the server is about to start.
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
