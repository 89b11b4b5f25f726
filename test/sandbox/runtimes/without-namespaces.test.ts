import { spawnSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compileProgram } from "../../e2e-agents/support/compile-program.js";
import { childFile, sandboxRequest } from "../../support/sandbox-request.js";
import { canSandbox } from "../../support/can-sandbox.js";

/** A host that permits no user namespaces: the kernel counts those of a namespace, and here none may be made. */
const WITHOUT_NAMESPACES = [
  ...["--user", "--map-current-user", "--keep-caps", "sh", "-c"],
  ...['echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh"],
];
const canForbid = canSandbox && spawnSync("unshare", [...WITHOUT_NAMESPACES, "true"]).status === 0;

describe.runIf(canForbid)("a sandbox on a host without user namespaces", () => {
  it("is refused with what to permit, and nothing of it runs", async () => {
    const { request, folder, copy } = sandboxRequest({
      "child.tsx": `-${childFile(`(await import("node:fs")).writeFileSync("ran", "x"); return 1;`)}`,
    });
    const program = await compileProgram("test/support/sandbox-program.ts", folder);
    for (const name of ["dist", "package.json"]) {
      symlinkSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), join(folder, name));
    }
    const { stdout } = spawnSync("unshare", [...WITHOUT_NAMESPACES, process.execPath, program], {
      encoding: "utf8",
      input: JSON.stringify(request),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: "SANDBOX_EXECUTION_FAILED",
        message: expect.stringContaining("Nothing ran: permit user namespaces") as string,
      },
    });
    expect(existsSync(join(copy, "ran"))).toBe(false);
  });
});
