import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ServiceError } from "../../errors/service-error.js";
import type { Terminal } from "../terminal.js";
import { databaseName } from "../../store/index.js";
import { findDatabase } from "../../operations/index.js";
import { readVersion } from "../../process/installation.js";

export interface Check {
  name: string;
  /** `warning`: something works less well, or not everywhere. */
  status: "ok" | "warning" | "failed";
  message: string;
}

type CheckBody = (context: CheckContext) => Promise<Omit<Check, "name">>;

export interface CheckContext {
  terminal: Terminal;
  /** `--db`. */
  db: string | undefined;
  /** The workflow file that was named. */
  file?: string;
}

const DEFAULT_PORT = 7331;
const OLDEST_NODE = [20, 19] as const;

/** Conditions for workflows to run here, in the order of how much depends on them. */
const CHECKS: Readonly<Record<string, CheckBody>> = {
  async treadle() {
    return ok(readVersion());
  },
  async node() {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const [oldestMajor, oldestMinor] = OLDEST_NODE;
    const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
    return isNewEnough
      ? ok(process.versions.node)
      : failed(`${process.versions.node} is older than ${OLDEST_NODE.join(".")}`);
  },
  async compiler() {
    const { compileProbe } = await import("../../loader/load-probe.js");
    return ok(await compileProbe());
  },
  async database({ terminal, db }) {
    const path = databasePath(terminal.cwd, db);
    if (path === undefined) {
      const { checkDriver } = await import("../../store/sqlite/open.js");
      checkDriver();
      return ok("none here yet; the first run creates service.db");
    }
    const { lookAtDatabase } = await import("../../operations/workspace/look-at-database.js");
    const { version, pending, hasRuns } = await lookAtDatabase(path);
    const found = `${databaseName(path)}, version ${version}${hasRuns === false ? ", no runs yet" : ""}`;
    if (pending.length === 0) return ok(found);
    const names = pending.map((migration) => `${migration.version} ${migration.name}`).join(", ");
    return warning(`${found}; the next command that opens it brings it up to date: ${names}`);
  },
  async workspace({ terminal }) {
    await access(terminal.cwd, constants.W_OK);
    await rm(await mkdtemp(join(tmpdir(), "treadle-")), { recursive: true });
    return ok(`${terminal.cwd} and ${tmpdir()} are writable`);
  },
  async git() {
    const { stdout } = await promisify(execFile)("git", ["--version"]).catch(() => ({ stdout: "" }));
    return stdout === "" ? warning("git is not on PATH; worktrees need it") : ok(stdout.trim());
  },
  async port() {
    return (await isFree(DEFAULT_PORT))
      ? ok(`${DEFAULT_PORT} is free`)
      : warning(`${DEFAULT_PORT}, the default of servers, is in use`);
  },
};

/** The named workflow file: whether it loads, and what of it will not act. */
async function checkWorkflow({ terminal, file = "" }: CheckContext): Promise<Omit<Check, "name">> {
  const [{ loadNamed }, { inputNotice }] = await Promise.all([
    import("../runs/load-named.js"),
    import("../drive/input-notice.js"),
  ]);
  const { workflow } = await loadNamed(file, { cwd: terminal.cwd });
  const notice = inputNotice(workflow);
  return notice === undefined ? ok(`${file} loads`) : warning(notice);
}

/** Runs all checks; one that throws has failed. */
export function runChecks(context: CheckContext): Promise<Check[]> {
  const checks = context.file === undefined ? CHECKS : { ...CHECKS, workflow: checkWorkflow };
  return Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return { name, ...(await check(context)) };
      } catch (error) {
        const message = ServiceError.is(error) ? `${error.code}: ${error.message}` : (error as Error).message;
        return { name, ...failed(message) };
      }
    }),
  );
}

function databasePath(cwd: string, named: string | undefined): string | undefined {
  try {
    return findDatabase(cwd, named);
  } catch (error) {
    if (named === undefined && ServiceError.is(error, "CLI_DB_NOT_FOUND")) return undefined;
    throw error;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

function ok(message: string): Omit<Check, "name"> {
  return { status: "ok", message };
}

function warning(message: string): Omit<Check, "name"> {
  return { status: "warning", message };
}

function failed(message: string): Omit<Check, "name"> {
  return { status: "failed", message };
}
