import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A file system of its own that can be full. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no room on it for so many milliseconds. */
  beFullFor(ms: number): Promise<void>;
  /** Leaves no room on it until what it gives is called. */
  fill(): () => void;
  unmount(): void;
}

/** Undefined where this process may not mount anything. */
export function mountSmallDisk(parent: string, megabytes: number): SmallDisk | undefined {
  const folder = join(parent, "disk");
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "pipe" });
  } catch {
    return undefined;
  }
  const ballast = join(folder, "ballast");
  return {
    folder,
    async beFullFor(ms) {
      const file = openSync(ballast, "a");
      const until = Date.now() + ms;
      try {
        while (Date.now() < until) {
          // Again and again: what others give up in the meantime is taken too.
          takeAll(file);
          await pause(100);
        }
      } finally {
        closeSync(file);
        rmSync(ballast);
      }
    },
    fill() {
      const file = openSync(ballast, "a");
      takeAll(file);
      closeSync(file);
      return () => rmSync(ballast);
    },
    unmount: () => void execFileSync("umount", ["-l", folder]),
  };
}

function takeAll(file: number): void {
  for (const bytes of [1 << 20, 4_096]) {
    const block = Buffer.alloc(bytes, 1);
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}
