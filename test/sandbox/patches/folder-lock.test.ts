import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { newOwnerId } from "../../../src/process/owner.js";
import { alone } from "../../../src/sandbox/patches/folder-lock.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** The id of an owner of this machine whose process has ended. */
function deadOwner(): string {
  const [host, , random, identity = ""] = newOwnerId().split("/");
  const { pid } = spawnSync("true");
  return [host, pid, random, identity].join("/");
}

/** Several that want one folder at once: how many of them had it at the same time, and how many in all. */
async function contest(root: string, count: number): Promise<{ most: number; all: number }> {
  let [now, most, all] = [0, 0, 0];
  const work = async () => {
    now += 1;
    most = Math.max(most, now);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    now -= 1;
    all += 1;
  };
  await Promise.all(Array.from({ length: count }, () => alone(root, undefined, work)));
  return { most, all };
}

const lockOf = (root: string) => join(root, ".service/sandboxes/applying.lock");

/** A folder with a lock in it, as `owner` has left it. */
function lockedBy(owner: string): string {
  const root = temporaryFolder("locked");
  mkdirSync(join(root, ".service/sandboxes"), { recursive: true });
  symlinkSync(owner, lockOf(root));
  return root;
}

describe("the lock of a folder", () => {
  it("lets one at a time work there", async () => {
    expect(await contest(temporaryFolder("locked"), 6)).toEqual({ most: 1, all: 6 });
  });

  it("leaves nothing", async () => {
    const root = temporaryFolder("locked");
    await contest(root, 1);
    expect(existsSync(join(root, ".service"))).toBe(false);
  });

  it("is released when the work fails", async () => {
    const root = temporaryFolder("locked");
    await expect(alone(root, undefined, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await contest(root, 1)).toEqual({ most: 1, all: 1 });
  });

  it("goes to one of those that wait when its owner's process is dead", async () => {
    expect(await contest(lockedBy(deadOwner()), 6)).toEqual({ most: 1, all: 6 });
  });

  it("goes to one of them also when a process has died while it took the lock over", async () => {
    const [owner, heir] = [deadOwner(), deadOwner()];
    const root = lockedBy(owner);
    const { createHash } = await import("node:crypto");
    symlinkSync(heir, `${lockOf(root)}.${createHash("sha256").update(owner).digest("hex").slice(0, 12)}`);
    expect(await contest(root, 6)).toEqual({ most: 1, all: 6 });
  });

  it("is waited for while its owner lives, or nothing is known of it, until the wait is given up", async () => {
    for (const owner of [newOwnerId(), "elsewhere/1/x/another-boot.1"]) {
      const giveUp = new AbortController();
      const waiting = alone(lockedBy(owner), giveUp.signal, () => Promise.resolve("worked"));
      await turn();
      giveUp.abort();
      await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    }
  });

  it("is made in no other folder that a link leads to", async () => {
    const [root, elsewhere] = [temporaryFolder("locked"), temporaryFolder("elsewhere")];
    symlinkSync(elsewhere, join(root, ".service"));
    await expect(alone(root, undefined, () => Promise.resolve())).rejects.toMatchObject({
      code: "SANDBOX_EXECUTION_FAILED",
      message: expect.stringContaining("elsewhere: remove it") as string,
    });
    expect(existsSync(join(elsewhere, "sandboxes/applying.lock"))).toBe(false);
  });
});
