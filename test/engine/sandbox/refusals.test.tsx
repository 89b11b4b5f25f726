import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BubblewrapRuntime } from "../../../src/sandbox/runtimes/bubblewrap.js";
import { TrustedExecutables } from "../../../src/process/trusted-executable.js";
import type { SandboxProvider } from "../../../src/model/sandbox-provider.js";
import { childFile, sandboxRequest } from "../../support/sandbox-request.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { registerSandboxProvider } from "../../../src/sandbox/provider.js";
import { sandboxedRun } from "../../support/sandboxed-run.js";
import { canSandbox } from "../../support/can-sandbox.js";

describe("a sandbox refuses", () => {
  it.each([
    ["a cache", { cache: {} }, "has cache, which is not supported"],
    ["an image of bubblewrap", { image: "debian:12" }, 'an image belongs to runtime="docker"'],
    ["an image that is a flag", { image: "--privileged", runtime: "docker" }, "image"],
    ["a workflow beside a command", { command: "make" }, "has workflow and command: one of the two"],
    ["neither workflow nor command", { workflow: undefined }, "has neither workflow nor command"],
    ["an empty command", { workflow: undefined, command: [] }, "command"],
    ["a command that is no text", { workflow: undefined, command: ["make", 1] }, "command"],
    ["a runtime beside a provider", { runtime: "docker", provider: "mine" }, "no runtime beside a provider"],
    ["the runtime codeplane", { runtime: "codeplane" }, 'has runtime="codeplane", which is not supported'],
    ["another runtime", { runtime: "podman" }, "runtime"],
  ])("%s, before anything is written", async (_, props, message) => {
    const { run } = sandboxedRun({}, props as object);
    await expect(run()).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(message) as string,
    });
  });

  it.each(["bubblewrap", "docker"])("to register a provider under the name of the runtime %s", (id) => {
    expect(() => registerSandboxProvider({ id, run: () => Promise.reject(new Error("ran")) })).toThrow(
      "names a runtime of this library",
    );
  });

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
