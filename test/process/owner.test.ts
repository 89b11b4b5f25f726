import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { newOwnerId, ownerLiveness } from "../../src/process/owner.js";

/** The id that another process of this machine would have had. */
function idOf(pid: number, { space, startedAt }: { space: string; startedAt: string }): string {
  return `${hostname()}/${pid}/session/${space}.${startedAt}`;
}

const [, , , identity = ""] = newOwnerId().split("/");
const at = identity.lastIndexOf(".");
const here = { space: identity.slice(0, at), startedAt: identity.slice(at + 1) };

describe("an owner id", () => {
  it("begins with host and process, and is new each time", () => {
    expect(newOwnerId().split("/").slice(0, 2)).toEqual([hostname(), String(process.pid)]);
    expect(newOwnerId()).not.toBe(newOwnerId());
  });

  it("speaks of a living process", () => {
    expect(ownerLiveness(newOwnerId())).toBe("alive");
  });
});

describe.runIf(process.platform === "linux")("on Linux an owner", () => {
  it("is dead when its process is gone, and when its number is another process's now", () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    expect(ownerLiveness(idOf(pid, here))).toBe("dead");
    expect(ownerLiveness(idOf(process.pid, { ...here, startedAt: "1" }))).toBe("dead");
  });

  it("is dead when its exit status was not collected yet", async () => {
    // The shell does not wait for its child before it becomes something else.
    const shell = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void shell.kill("SIGKILL"));
    const [line] = (await once(shell.stdout, "data")) as [Buffer];
    await expect.poll(() => ownerLiveness(idOf(Number(line), here))).toBe("dead");
  });

  it("is only known by its heartbeat when it lives in another PID namespace, whatever its host is called", () => {
    const elsewhere = { ...here, space: `${here.space.split(".")[0]}.4026539999` };
    expect(ownerLiveness(idOf(process.pid, elsewhere))).toBe("unknown");
    expect(ownerLiveness(idOf(spawnSync(process.execPath, ["--version"]).pid, elsewhere))).toBe("unknown");
  });

  it("is only known by its heartbeat when it is of another boot, or could not tell what it is", () => {
    expect(ownerLiveness(idOf(process.pid, { ...here, space: "0123456789abcdef.4026531836" }))).toBe(
      "unknown",
    );
    expect(ownerLiveness(`${hostname()}/${process.pid}/session/-`)).toBe("unknown");
    expect(ownerLiveness(newOwnerId(), null)).toBe("unknown");
  });
});

describe("an owner that does not tell what it is", () => {
  it("is asked for by its number on its own host", () => {
    expect(ownerLiveness(`${hostname()}/${process.pid}/session`)).toBe("alive");
    expect(ownerLiveness(`${hostname()}/${spawnSync(process.execPath, ["--version"]).pid}/session`)).toBe(
      "dead",
    );
    expect(ownerLiveness(`elsewhere/${process.pid}/session`)).toBe("unknown");
  });
});
