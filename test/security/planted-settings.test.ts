import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { openGateway } from "../../src/cli/drive/open-gateway.js";
import { workspaceState } from "../../src/process/workspace-state.js";
import { runCommand } from "../../src/tools/process/run-command.js";
import { codeOf } from "../conformance/store/fixtures.js";
import { openStore } from "../store/support/database.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { confinedTo, isIsolationPermitted, permittedWays } from "../tools/support/isolation.js";

if (!isIsolationPermitted) {
  console.warn("This host permits no isolation: settings that commands leave are NOT tested here.");
}

/** Says that it was run. */
const PLANTED = `globalThis.hasRun = true; export default { workflows: {} };`;

function workspace(): string {
  const root = temporaryFolder("planted");
  openStore(join(root, "service.db"), {}).prepare();
  return root;
}

/** Commands of an agent in the workspace, in each way that the host permits. */
async function run(root: string, cmd: string): Promise<void> {
  const confinement = confinedTo(root, { hidden: workspaceState(root, join(root, "service.db")) });
  const [isolation] = permittedWays(confinement);
  await runCommand({
    argv: ["bash", "-c", cmd],
    isolation,
    cwd: root,
    env: confinement.env,
    signal: new AbortController().signal,
    maxOutputBytes: 10_000,
  });
}

async function opens(root: string, config?: string): Promise<unknown> {
  vi.stubGlobal("hasRun", false);
  return codeOf(async () => {
    const request = {
      workspace: undefined,
      db: undefined,
      authToken: undefined,
      environmentToken: undefined,
    };
    const { gateway } = await openGateway({ ...request, cwd: root, config, ownToken: undefined });
    await gateway.close();
  });
}

it.skipIf(!isIsolationPermitted).each(["ts", "mjs"])(
  "settings of a gateway that a command has left are not loaded until a person names them: treadle.gateway.%s",
  async (ending) => {
    const root = workspace();
    const name = `treadle.gateway.${ending}`;
    await run(
      root,
      `printf '%s' '${PLANTED}' > ${name}; rm -rf .service; mkdir -p .service; echo '["${name}"]' > .service/known-settings.json`,
    );
    expect(await opens(root)).toBe("WORKSPACE_NOT_TRUSTED");
    expect(globalThis).toMatchObject({ hasRun: false });
    expect(await opens(root, name)).toBeUndefined();
    expect(globalThis).toMatchObject({ hasRun: true });
    expect(await opens(root)).toBeUndefined();
  },
);

it.skipIf(!isIsolationPermitted)("settings that were there before are loaded as ever", async () => {
  const root = workspace();
  writeFileSync(join(root, "treadle.gateway.mjs"), PLANTED);
  await run(root, "true");
  expect(await opens(root)).toBeUndefined();
  expect(globalThis).toMatchObject({ hasRun: true });
});

it("settings of a workspace in which no command has run are loaded as ever", async () => {
  const root = workspace();
  writeFileSync(join(root, "treadle.gateway.mjs"), PLANTED);
  expect(await opens(root)).toBeUndefined();
});
