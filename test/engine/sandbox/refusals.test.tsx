import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BubblewrapRuntime } from "../../../src/sandbox/runtimes/bubblewrap.js";
import { TrustedExecutables } from "../../../src/process/trusted-executable.js";
import type { SandboxProvider } from "../../../src/model/sandbox-provider.js";
import { childFile, sandboxRequest } from "../../support/sandbox-request.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { sandboxedRun } from "../../support/sandboxed-run.js";
import { canSandbox } from "../../support/can-sandbox.js";

describe("a sandbox refuses", () => {
  it.each(["image", "command", "cache"])(
    "the prop %s, which would do nothing, before anything is written",
    async (prop) => {
      const { run } = sandboxedRun({}, { [prop]: {} });
      await expect(run()).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringContaining(`has ${prop}, which is not supported`) as string,
      });
    },
  );

  it.each([
    ["no name", {}],
    ["a name that leads elsewhere", { name: "../a" }],
    ["a snapshot that no workspace has given", { name: "a", snapshotId: "newest" }],
    ["another persistence", { name: "a", persistence: "for-ever" }],
    ["no time", { name: "a", idleTimeoutSecs: 0 }],
    ["an idle timeout of what ends at once", { name: "a", persistence: "ephemeral", idleTimeoutSecs: 9 }],
    ["a field that there is not", { name: "a", size: "2g" }],
  ])("a workspace with %s", async (_, workspace) => {
    const { run } = sandboxedRun({}, { workspace: workspace as never });
    await expect(run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("workspace") as string,
    });
  });

  it.each([
    ["no list", {}],
    ["no number", [{ host: "80", container: 80 }]],
    ["port 0", [{ host: 0, container: 80 }]],
    ["a port beyond the last", [{ host: 80, container: 65_536 }]],
    [
      "one port of the host twice",
      [
        { host: 8080, container: 80 },
        { host: 8080, container: 81 },
      ],
    ],
    ["an address", [{ host: 8080, container: 80, address: "0.0.0.0" }]],
  ])("ports with %s", async (_, ports) => {
    const { run } = sandboxedRun({}, { ports: ports as never });
    await expect(run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("ports") as string,
    });
  });

  it.each([0, -1, 0.5, "2", Number.NaN])(
    "the cpuLimit %j, which is no number of processors",
    async (cpuLimit) => {
      const { run } = sandboxedRun({}, { cpuLimit: cpuLimit as number });
      await expect(run()).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringContaining("cpuLimit") as string,
      });
    },
  );

  it.each(["docker", "codeplane"])("the runtime %s", async (runtime) => {
    const { run } = sandboxedRun({}, { runtime: runtime as "bubblewrap" });
    await expect(run()).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("a provider that is not registered", async () => {
    const { run } = sandboxedRun({}, { provider: "nowhere" });
    expect(await run()).toMatchObject({
      status: "failed",
      error: {
        code: "SANDBOX_EXECUTION_FAILED",
        message: expect.stringContaining('"nowhere"') as string,
      },
    });
  });

  it("to stand inside another one without allowNested", async () => {
    const inner = sandboxedRun(
      {},
      { provider: { id: "inner", run: () => Promise.reject(new Error("ran")) } },
    );
    const outer: SandboxProvider = {
      id: "outer",
      async run() {
        const { status, error } = await inner.run();
        return { status: status === "failed" ? "failed" : "finished", error: error?.message ?? "" };
      },
    };
    expect(await sandboxedRun({}, { provider: outer }).run()).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("`allowNested`") as string },
    });
  });

  it.runIf(canSandbox)("a cpuLimit where no program would hold it, and nothing runs", async () => {
    const programs = temporaryFolder("programs");
    symlinkSync("/usr/bin/bwrap", join(programs, "bwrap"));
    const { request } = sandboxRequest({ "child.tsx": `-${childFile("return 1;")}` }, { cpuLimit: 1 });
    const runtime = new BubblewrapRuntime(new TrustedExecutables([programs]));
    await expect(runtime.run(request)).rejects.toMatchObject({
      code: "SANDBOX_EXECUTION_FAILED",
      message: expect.stringMatching(/`taskset`.*Nothing ran/) as string,
      retryable: false,
    });
  });

  it("to run where bubblewrap is missing, and says what to install", async () => {
    const { request } = sandboxRequest({ "child.tsx": `-${childFile("return 1;")}` });
    await expect(new BubblewrapRuntime(new TrustedExecutables([])).run(request)).rejects.toMatchObject({
      code: "SANDBOX_EXECUTION_FAILED",
      message: expect.stringContaining("package `bubblewrap`") as string,
    });
  });
});
