import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProcess } from "../../../src/agents/process/run-process.js";
import { bubblewrapCover } from "../../../src/process/isolation/bubblewrap.js";
import { concealment } from "../../../src/process/isolation/concealment.js";
import { withProcessTerms } from "../../../src/process/process-terms.js";
import { isBubblewrapPermitted } from "../../tools/support/isolation.js";
import { workspace } from "../../tools/support/workspace.js";

const isPermitted =
  process.platform === "linux" &&
  spawnSync("unshare", [
    "--map-current-user",
    "--keep-caps",
    "--mount",
    "mount",
    "-t",
    "tmpfs",
    "tmpfs",
    "/mnt",
  ]).status === 0;

async function asAgent(script: string, options: { isConcealing?: boolean } = {}) {
  const rootDir = await workspace({ "service.db": "rows", ".service/state": "x", "a.txt": "one" });
  const hidden = [join(rootDir, "service.db"), join(rootDir, "service.db-wal"), join(rootDir, ".service")];
  const lines: string[] = [];
  const scope = { markers: { TREADLE_TASK: "run/task" }, hidden, frozen: [], isConcealing: true, ...options };
  const exit = await withProcessTerms(scope, () =>
    runProcess({
      command: "sh",
      args: ["-c", script],
      cwd: rootDir,
      env: { PATH: process.env["PATH"] ?? "" },
      maxLineBytes: 10_000,
      onStdoutLine: ({ text }) => void lines.push(text),
      onStderrLine: () => undefined,
    }),
  );
  return { rootDir, lines, exit };
}

describe.runIf(isPermitted)("a command-line agent where user namespaces are permitted", () => {
  it("does not see the workspace's database and state, cannot uncover them, and writes everything else", async () => {
    const { rootDir, lines, exit } = await asAgent(
      "cat service.db; ls -A .service; umount service.db; unshare -Urm umount $PWD/service.db; cat service.db;" +
        ` cat /proc/${process.pid}/root$PWD/service.db;` +
        " rm -f service.db; echo evil > service.db; echo two > a.txt; grep CapEff /proc/self/status; exit 3",
    );
    expect(lines).toEqual(["CapEff:\t0000000000000000"]);
    expect(exit).toEqual({ exitCode: 3, killedBy: null });
    expect(await readFile(join(rootDir, "service.db"), "utf8")).toBe("rows");
    expect(await readFile(join(rootDir, "a.txt"), "utf8")).toBe("two\n");
  });

  it("sees them when the run does not isolate", async () => {
    expect((await asAgent("cat service.db; echo", { isConcealing: false })).lines).toEqual(["rows"]);
  });
});

describe.runIf(isBubblewrapPermitted)("where only bubblewrap may hide files", () => {
  it("they are not there either, and the exit code comes through", async () => {
    const rootDir = await workspace({ "service.db": "rows", ".service/state": "x", "a.txt": "one" });
    const cover = bubblewrapCover("/usr/bin/bwrap", [join(rootDir, "service.db"), join(rootDir, ".service")]);
    const script =
      `cat service.db /proc/${process.pid}/root$PWD/service.db; ls -A .service; umount service.db;` +
      " unshare -Urm umount $PWD/service.db; cat service.db; rm -f service.db; echo two > a.txt; exit 3";
    const [program = "", ...args] = [...cover.argv, "sh", "-c", script];
    const { status, stdout } = spawnSync(program, args, { cwd: rootDir });
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 3, stdout: "" });
    expect(await readFile(join(rootDir, "service.db"), "utf8")).toBe("rows");
    expect(await readFile(join(rootDir, "a.txt"), "utf8")).toBe("two\n");
  });
});

it("a command-line agent carries the mark of its task", async () => {
  expect((await asAgent("echo $TREADLE_TASK", { isConcealing: false })).lines).toEqual(["run/task"]);
});

it("a trial that was cut short is made again, and the refusal for it is one that may pass", async () => {
  const folder = await workspace({});
  // Stands for a tool on a machine that is too busy the first time.
  const script = "test -e begun || { : > begun; kill -KILL $$; }";
  const ways = [{ tool: "busy", argv: ["/bin/sh", "-c", `cd "${folder}"; ${script}`] }];
  await expect(concealment("agent", [folder], ways)).rejects.toMatchObject({
    code: "TOOL_ISOLATION_UNAVAILABLE",
    retryable: true,
  });
  expect(await concealment("agent", [folder], ways)).toBe(ways[0]?.argv);
});
