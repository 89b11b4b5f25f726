import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, chownSync, mkdtempSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../free-port.js";
import { postgresPrograms } from "./binaries.js";

/** User and group of `nobody`: Postgres does not run as root. */
const NOBODY = 65_534;

/**
 * Ends the server whose id it read last, and deletes its folder, once the process that writes the ids is gone: also
 * where that was killed.
 */
const GUARD = `
  const { rmSync } = require("node:fs");
  let pid = 0;
  process.stdin.on("data", (text) => { pid = Number(String(text).trim().split("\\n").at(-1)); });
  process.stdin.on("end", () => {
    const isGone = () => {
      try { process.kill(pid, 0); return false; } catch { return true; }
    };
    if (pid > 0 && !isGone()) process.kill(pid, "SIGQUIT");
    const ending = setInterval(() => {
      if (pid > 0 && !isGone()) return;
      clearInterval(ending);
      rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    }, 20);
  });`;

/** A server whose data is gone with it. What a crash of the machine takes away is not what tests look at. */
export class PostgresServer {
  readonly #programs: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #user: { uid?: number; gid?: number };
  readonly #settings: readonly string[];
  readonly #guard: ChildProcess;
  #process: ChildProcess | undefined;

  /** @param parent where its folder is made */
  static async start(settings: readonly string[] = [], parent = tmpdir()): Promise<PostgresServer> {
    const server = new PostgresServer(await freePort(), { settings, parent });
    await server.start();
    return server;
  }

  /** A standby that follows this server, which is at rest for the time of the copy. It has none itself. */
  async startStandby(): Promise<PostgresServer> {
    await this.stop();
    const standby = new PostgresServer(await freePort(), {
      settings: [],
      parent: tmpdir(),
      copied: this.#folder,
    });
    const { port } = new URL(this.url());
    writeFileSync(join(standby.#folder, "standby.signal"), "");
    const following = `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`;
    appendFileSync(join(standby.#folder, "postgresql.auto.conf"), following);
    await this.start();
    await standby.start();
    return standby;
  }

  private constructor(
    port: number,
    { settings, parent, copied }: { settings: readonly string[]; parent: string; copied?: string },
  ) {
    this.#port = port;
    this.#settings = settings;
    this.#programs = postgresPrograms();
    this.#folder = mkdtempSync(join(parent, "treadle-postgres-"));
    this.#guard = spawn(process.execPath, ["-e", GUARD, this.#folder], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#guard.unref();
    (this.#guard.stdin as Socket).unref();
    const isRoot = process.getuid?.() === 0;
    this.#user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    if (isRoot) chownSync(this.#folder, NOBODY, NOBODY);
    if (copied !== undefined) {
      // Owners and modes as well.
      execFileSync("cp", ["-a", `${copied}/.`, this.#folder]);
      return;
    }
    const options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    execFileSync(join(this.#programs, "initdb"), ["-D", this.#folder, ...options], {
      ...this.#user,
      stdio: "pipe",
    });
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
    this.#guard.stdin?.write(`${this.#process.pid}\n`);
    this.#process.unref();
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
    // Its id may be another process's from now on.
    this.#guard.stdin?.write("0\n");
  }

  async remove(): Promise<void> {
    await this.stop("immediate");
    const ended = new Promise((resolve) => this.#guard.once("exit", resolve));
    this.#guard.ref();
    this.#guard.stdin?.end();
    await ended;
  }

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
