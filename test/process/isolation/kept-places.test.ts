import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Confinement } from "../../../src/process/isolation/isolation.js";
import { runCommand } from "../../../src/tools/process/run-command.js";
import { bubblewrapWay, confinedTo, isBubblewrapPermitted } from "../../tools/support/isolation.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

async function run(cmd: string, changes: Partial<Confinement> & { root: string }) {
  const confinement = confinedTo(changes.root, changes);
  const { output } = await runCommand({
    argv: ["bash", "-c", cmd],
    isolation: bubblewrapWay(confinement),
    cwd: confinement.cwd,
    env: confinement.env,
    signal: new AbortController().signal,
    maxOutputBytes: 200_000,
  });
  return output;
}

function rooted(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

if (!isBubblewrapPermitted) {
  console.warn("This host permits no bubblewrap: what it keeps from commands is NOT tested here.");
}

describe.runIf(isBubblewrapPermitted)(
  "what a command in bubblewrap cannot put another in the place of",
  () => {
    const files = { "src/workflows/flow.tsx": "code", "data/run/own.db": "rows", "src/notes.md": "" };

    it.each([
      ["the folder", "mv src/workflows w2; mkdir src/workflows; cp w2/flow.tsx src/workflows/"],
      ["a folder above", "mv src s2; mkdir -p src/workflows; echo evil > src/workflows/flow.tsx"],
      ["the file", "mv src/workflows/flow.tsx f2; rm -f src/workflows/flow.tsx"],
      ["a link", "ln -sfn /tmp src; ln -sf /etc/hostname src/workflows/flow.tsx"],
      ["an exchange", 'mkdir x; mv --exchange x src; python3 -c \'import os; os.rename("src", "y")\''],
      ["deletion", "rm -rf src"],
    ])("a module by renaming %s", async (_what, attack) => {
      const root = rooted(files);
      const module = join(root, "src/workflows/flow.tsx");
      const frozen = [module];
      await run(`${attack}; echo evil > src/workflows/flow.tsx`, { root, frozen });
      expect(readFileSync(module, "utf8")).toBe("code");
    });

    it("a database by renaming what is above it", async () => {
      const root = rooted(files);
      const hidden = [join(root, "data/run/own.db")];
      const attack =
        "mv data d2; mv data/run r2; mkdir -p data/run; echo forged > data/run/own.db; cat d2/run/* r2/*";
      expect(await run(attack, { root, hidden })).not.toContain("rows");
      expect(readFileSync(hidden[0] as string, "utf8")).toBe("rows");
    });

    it("and still works in all folders beside them", async () => {
      const root = rooted(files);
      const frozen = [join(root, "src/workflows/flow.tsx")];
      await run("echo a > src/a; mv src/a src/b; echo c > src/workflows/c; mv src/b top", { root, frozen });
      expect([existsSync(join(root, "top")), existsSync(join(root, "src/workflows/c"))]).toEqual([
        true,
        true,
      ]);
    });
  },
);

describe.runIf(isBubblewrapPermitted)("what a command in bubblewrap may still write", () => {
  it("is nothing of the kernel's: no setting under /proc, /sys and /dev", async () => {
    const root = temporaryFolder();
    const places = "find /proc /sys -path '/proc/[0-9]*' -prune -o ! -type l -writable -print 2>/dev/null";
    expect(await run(places, { root })).toBe("");
    const devices = await run(
      "for f in $(find /dev); do [ ! -h $f ] && [ -b $f -o -c $f ] && echo $f; done",
      { root },
    );
    const harmless = ["full", "null", "random", "tty", "urandom", "zero", "console", "ptmx", "pts/ptmx"];
    const names = devices
      .trim()
      .split("\n")
      .map((path) => path.replace("/dev/", ""));
    expect(names.filter((name) => !harmless.includes(name))).toEqual([]);
    const pattern = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
    await run(
      `cat /proc/sys/kernel/core_pattern > c; cat c > /proc/sys/kernel/core_pattern && echo changed`,
      { root },
    );
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(pattern);
  });

  it("is its root and private folders: the whole list of mounts that are not read-only", async () => {
    const root = temporaryFolder();
    const output = await run("awk '$6 ~ /^rw/ {print $5}' /proc/self/mountinfo", { root });
    const home = confinedTo(root).env["HOME"];
    const allowed = new Set([root, home, "/tmp", "/var/tmp", "/run", "/dev", "/proc"]);
    const others = output.split("\n").filter((place) => place !== "" && !allowed.has(place));
    expect(others.filter((place) => !place.startsWith("/dev/"))).toEqual([]);
  });
});
