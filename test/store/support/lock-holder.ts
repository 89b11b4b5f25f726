import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { onTestFinished } from "vitest";

const driver = createRequire(import.meta.url).resolve("better-sqlite3");

/** Takes the write lock, says so, and keeps it until its input ends or the given time is over. */
const SCRIPT = `
  const [driver, path, holdMs] = process.argv.slice(1);
  const db = require(driver)(path);
  db.exec("BEGIN IMMEDIATE");
  process.stdout.write("locked");
  const release = () => { db.exec("COMMIT"); process.exit(0); };
  process.stdin.on("end", release).resume();
  if (holdMs !== "") setTimeout(release, Number(holdMs));
`;

/** A second process that holds the write lock of a database. */
export async function holdLock(path: string, holdMs?: number): Promise<{ release(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, ["-e", SCRIPT, driver, path, String(holdMs ?? "")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const release = async () => {
    child.stdin?.end();
    await exited;
  };
  onTestFinished(release);
  if (child.stdout === null) throw new Error("the lock holder has no output");
  await once(child.stdout, "data");
  return { release };
}
