import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { SandboxProvider } from "../../../src/model/sandbox-provider.js";
import { sandboxedRun } from "../../support/sandboxed-run.js";

const SECRET = `"quoted" key-0123456789`;
const egress = { secretBindings: { API_KEY: "KEY_OF_THE_HOST" } };

/** Does with the secret's value as \`leak\` says. */
const provider = (leak: (workspace: string) => Partial<Awaited<ReturnType<SandboxProvider["run"]>>>) =>
  ({
    id: "leaky",
    run: ({ workspacePath }) =>
      Promise.resolve({ status: "finished", output: { text: "done" }, ...leak(workspacePath) }),
  }) satisfies SandboxProvider;

/** All that a run leaves, but what it had. */
function everything(folder: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Buffer.concat(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );
}

describe("the value of a secret binding", () => {
  beforeEach(() => {
    process.env["KEY_OF_THE_HOST"] = SECRET;
    onTestFinished(() => void delete process.env["KEY_OF_THE_HOST"]);
  });

  it("is stored nowhere, be it in the row or in the reason of a failure", async () => {
    const row = sandboxedRun(
      {},
      { egress, provider: provider(() => ({ output: { text: `it is ${SECRET}` } })) },
    );
    expect(await row.run()).toMatchObject({ status: "finished", output: { text: "it is [secret API_KEY]" } });
    const failed = sandboxedRun(
      {},
      { egress, provider: provider(() => ({ status: "failed", error: `wrong: ${SECRET}` })) },
    );
    expect(await failed.run()).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("wrong: [secret API_KEY]") as string },
    });
    for (const { folder } of [row, failed]) {
      const stored = everything(folder);
      expect(stored.includes("key-0123456789")).toBe(false);
      expect(stored.includes("API_KEY")).toBe(true);
    }
  });

  it("comes back in no patch", async () => {
    const leaky = provider((workspace) => {
      writeFileSync(join(workspace, "notes"), `key: ${SECRET}\n`);
      return {};
    });
    const { run, folder } = sandboxedRun(
      { notes: "-old\n" },
      { egress, provider: leaky, autoAcceptDiffs: true },
    );
    expect(await run()).toMatchObject({
      status: "failed",
      error: {
        code: "SANDBOX_BUNDLE_INVALID",
        message: expect.stringContaining("secret binding API_KEY") as string,
      },
    });
    expect(everything(folder).includes("key-0123456789")).toBe(false);
  });

  it("is asked for by name where it is missing, before anything runs", async () => {
    delete process.env["KEY_OF_THE_HOST"];
    const { run } = sandboxedRun(
      {},
      { egress, provider: { id: "never", run: () => Promise.reject(new Error("ran")) } },
    );
    expect(await run()).toMatchObject({
      status: "failed",
      error: {
        code: "SANDBOX_EXECUTION_FAILED",
        message: expect.stringContaining("KEY_OF_THE_HOST, which is not set") as string,
      },
    });
  });
});
