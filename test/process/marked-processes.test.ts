import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { killMarked } from "../../src/process/orphans.js";

it.runIf(existsSync("/proc/self/environ"))(
  "a process is found by its mark however much its environment says before it, and one of another mark is left",
  async () => {
    const long = { BEFORE: "x".repeat(100_000) };
    const [marked, other] = ["one", "one-more"].map((value) => {
      const child = spawn("sleep", ["600"], {
        env: { PATH: process.env["PATH"], ...long, MARKED_BY: value },
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    });
    const exited = once(marked as NonNullable<typeof marked>, "exit");
    await killMarked({ name: "MARKED_BY", value: "one" });
    expect(await exited).toEqual([null, "SIGKILL"]);
    expect(other?.exitCode ?? other?.signalCode).toBe(null);
  },
);
