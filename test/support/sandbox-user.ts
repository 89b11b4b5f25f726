import { execFileSync, spawn } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SandboxRequest, SandboxResult } from "../../src/model/sandbox-provider.js";
import { compileProgram } from "../e2e-agents/support/compile-program.js";
import { ServiceError } from "../../src/errors/service-error.js";
import { BubblewrapRuntime } from "../../src/sandbox/runtimes/bubblewrap.js";

/** A user of this machine that sandboxes are started as. */
export interface SandboxUser {
  readonly name: string;
  run(request: SandboxRequest, folder: string): Promise<SandboxResult>;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** A user who owns nothing on this machine. */
const NOBODY = 65_534;

const self: SandboxUser = {
  name: process.getuid?.() === 0 ? "root" : "the tests' user",
  run: (request) => new BubblewrapRuntime().run(request),
};

/** In a process of that user, by the compiled code. */
const other: SandboxUser = {
  name: "another user",
  async run(request, folder) {
    const program = await compileProgram("test/support/sandbox-program.ts", folder);
    for (const name of ["dist", "package.json"]) symlinkSync(join(ROOT, name), join(folder, name));
    execFileSync("chown", ["-hR", `${NOBODY}:${NOBODY}`, folder]);
    const child = spawn(process.execPath, [program], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin.end(JSON.stringify(request));
    let printed = "";
    for await (const chunk of child.stdout) printed += String(chunk);
    const { result, error } = JSON.parse(printed) as {
      result?: SandboxResult;
      error?: { code: string; message: string };
    };
    if (result !== undefined) return result;
    throw new ServiceError(error?.code ?? "INTERNAL_ERROR", error?.message ?? printed);
  },
};

/** The one that runs the tests and, where that is root, another one. */
export const SANDBOX_USERS: readonly SandboxUser[] = process.getuid?.() === 0 ? [self, other] : [self];
