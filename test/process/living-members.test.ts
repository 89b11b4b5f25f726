import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { hasLivingMember } from "../../src/process/orphans.js";

/** Starts a shell script in a group of its own; its first word, a number. */
async function start(script: string) {
  const child = spawn("bash", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, number: Number(said.toString()) };
}

it.runIf(existsSync("/proc/self/stat"))(
  "a group whose members are all dead has no living ones, though nobody has collected them",
  async () => {
    // With job control the background job is a group of its own; it ends once its parent is one that collects no children.
    const job = "echo $$; until grep -q sleep /proc/$PPID/comm; do :; done";
    const { child, number: group } = await start(`set -m; bash -c '${job}' & exec sleep 600`);
    await expect.poll(() => hasLivingMember(group)).toBe(false);
    expect(() => process.kill(-group, 0)).not.toThrow();
    expect(hasLivingMember(child.pid as number)).toBe(true);
  },
);

it("a group is gone when the last member has been collected", async () => {
  const { child, number: group } = await start("echo $$; exec sleep 600");
  expect(hasLivingMember(group)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(hasLivingMember(group)).toBe(false);
});
