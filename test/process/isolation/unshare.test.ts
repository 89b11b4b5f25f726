import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../../src/tools/process/run-command.js";
import { confinedTo, permittedWays } from "../../tools/support/isolation.js";
import { workspace } from "../../tools/support/workspace.js";

const CAPABILITIES = "grep -E '^Cap(Inh|Prm|Eff|Bnd|Amb)' /proc/self/status | cut -f2 | sort -u";

/** One command, in each way of `unshare` that this host permits. */
async function inEach(cmd: string, files: Record<string, string>, hidden: readonly string[]) {
  const root = await workspace(files);
  const paths = hidden.map((name) => join(root, name));
  const confinement = confinedTo(root, { hidden: paths });
  const outputs: string[] = [];
  for (const isolation of permittedWays(confinement).filter(({ tool }) => tool === "unshare")) {
    const { output } = await runCommand({
      argv: ["bash", "-c", cmd],
      isolation,
      cwd: root,
      env: confinement.env,
      signal: new AbortController().signal,
      maxOutputBytes: 10_000,
    });
    outputs.push(output);
  }
  return { root, outputs };
}

it("with unshare alone a command has no capabilities left once its loopback interface is up", async () => {
  const { outputs } = await inEach(CAPABILITIES, {}, []);
  for (const output of outputs) expect(output).toBe("0000000000000000\n");
});

it("with unshare alone a command does not see the workspace's database, and cannot uncover it", async () => {
  const { root, outputs } = await inEach(
    "cat service.db; ls -A .service; umount service.db; unshare -Urm umount $PWD/service.db; cat service.db; rm -f service.db; touch ran",
    { "service.db": "rows", ".service/state": "x" },
    ["service.db", ".service"],
  );
  for (const output of outputs) {
    expect(output).not.toContain("rows");
    expect(output).not.toContain("state");
  }
  expect(await readFile(join(root, "service.db"), "utf8")).toBe("rows");
  expect(existsSync(join(root, "ran"))).toBe(outputs.length > 0);
});
