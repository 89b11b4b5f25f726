import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { killMarked } from "../../src/process/orphans.js";

/** A process of this mark; it says again what it is told, as long as it lives. */
function marked(value: string, before: NodeJS.ProcessEnv = {}) {
  const child = spawn("cat", { env: { PATH: process.env["PATH"], ...before, MARKED_BY: value } });
  onTestFinished(() => void child.kill("SIGKILL"));
  // Of one that has been killed already.
  child.stdin.on("error", () => {});
  const killed = once(child, "exit").then(() => "killed");
  return {
    async fate() {
      child.stdin.write("alive");
      return Promise.race([killed, once(child.stdout, "data").then(([said]) => String(said))]);
    },
  };
}

describe.runIf(existsSync("/proc/self/environ"))("processes with a mark", () => {
  it("are killed, however much their environment says before it", async () => {
    const child = marked("one", { BEFORE: "x".repeat(100_000) });
    await killMarked({ name: "MARKED_BY", value: "one" });
    expect(await child.fate()).toBe("killed");
  });

  it("are killed, and none whose mark only begins or ends as theirs", async () => {
    const all = [marked("two"), marked("two-more"), marked("x", { NOT_MARKED_BY: "two" })];
    await killMarked({ name: "MARKED_BY", value: "two" });
    expect(await Promise.all(all.map((each) => each.fate()))).toEqual(["killed", "alive", "alive"]);
  });
});
