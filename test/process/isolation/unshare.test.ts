import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../../src/tools/process/run-command.js";
import { confinedTo, permittedWays } from "../../tools/support/isolation.js";
import { workspace } from "../../tools/support/workspace.js";

const CAPABILITIES = "grep -E '^Cap(Inh|Prm|Eff|Bnd|Amb)' /proc/self/status | cut -f2 | sort -u";

/** One command, in each way of `unshare` that this host permits. */
async function inEach(
  cmd: string,
  files: Record<string, string>,
  { hidden = [], frozen = [] }: { hidden?: readonly string[]; frozen?: readonly string[] },
) {
  const root = await workspace(files);
  const below = (names: readonly string[]) => names.map((name) => join(root, name));
  const confinement = confinedTo(root, { hidden: below(hidden), frozen: below(frozen) });
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
  const { outputs } = await inEach(CAPABILITIES, {}, {});
  for (const output of outputs) expect(output).toBe("0000000000000000\n");
});

it("with unshare alone a command does not see the workspace's database, and cannot uncover it", async () => {
  const { root, outputs } = await inEach(
    "cat service.db; ls -A .service; umount service.db; unshare -Urm umount $PWD/service.db; cat service.db; rm -f service.db; touch ran",
    { "service.db": "rows", ".service/state": "x" },
    { hidden: ["service.db", ".service"] },
  );
  for (const output of outputs) {
    expect(output).not.toContain("rows");
    expect(output).not.toContain("state");
  }
  expect(await readFile(join(root, "service.db"), "utf8")).toBe("rows");
  expect(existsSync(join(root, "ran"))).toBe(outputs.length > 0);
});

it.each([
  ["written", "echo evil > src/flows/flow.tsx; echo evil > node_modules/dep/index.js"],
  ["replaced", "mv -f new src/flows/flow.tsx; rm -rf node_modules; mkdir node_modules node_modules/dep"],
  [
    "made writable",
    'F=src/flows/flow.tsx; umount $F; unshare -Urm sh -c "mount -o remount,bind,rw $F; umount $F"',
  ],
  ["renamed above", "R=$PWD; mv src s2; cd ..; mv $R $R-2; mkdir -p $R/src/flows"],
])(
  "with unshare alone the modules of a workflow and its packages are not %s by a command",
  async (_how, attack) => {
    const kept = { "src/flows/flow.tsx": "code", "node_modules/dep/index.js": "package" };
    const cmd = `R=$PWD; ${attack}; cd $R; for f in src/flows/flow.tsx node_modules/dep/index.js; do echo evil > $f; done; touch ran`;
    const frozen = ["src/flows/flow.tsx", "node_modules"];
    const { root, outputs } = await inEach(cmd, { ...kept, new: "evil" }, { frozen });
    for (const [name, text] of Object.entries(kept))
      expect(await readFile(join(root, name), "utf8")).toBe(text);
    expect(existsSync(join(root, "ran"))).toBe(outputs.length > 0);
  },
);
