import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BaseCliAgent } from "../../../src/agents/cli/base-cli-agent.js";
import { codexEngine } from "../../../src/agents/cli/engines/codex.js";
import { ClaudeCodeAgent, CodexAgent, KimiAgent } from "../../../src/agents/cli/index.js";
import { isRetryable, serializeError } from "../../../src/errors/ensure-error.js";
import { VirtualClock } from "../../../src/testing/virtual-clock.js";
import { TOOLS } from "./support/engines.js";
import { createFakeTool, type FakeTool } from "./support/fake-tool.js";

let fake: FakeTool;
afterEach(() => fake.remove());

const refusal = (promise: Promise<unknown> | undefined) =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );

describe("the start-up check", () => {
  it.each(TOOLS)("says how to install $command when it is missing", async (tool) => {
    fake = createFakeTool("something-else");
    const agent = tool.create({ env: { ...fake.env, PATH: "/nowhere" } });
    const error = await refusal(agent.preflight({ rootDir: fake.cwd }));
    expect(error).toMatchObject({ code: "PROCESS_SPAWN_FAILED", details: { command: tool.command } });
    expect((error as Error).message).toMatch(/Install it/);
    expect(isRetryable(serializeError(error))).toBe(false);
  });

  it.each(TOOLS)("reads the version of $command", async (tool) => {
    fake = createFakeTool(tool.command);
    fake.plays({ version: `${tool.command}, version 4.5.6-beta.1 (Build)`, steps: [] });
    const diagnosis = await tool.create({ env: fake.env }).diagnose({ rootDir: fake.cwd });
    expect(diagnosis).toMatchObject({ engine: tool.engine, command: tool.command, version: "4.5.6-beta.1" });
    expect(diagnosis.path).toMatch(new RegExp(`/${tool.command}$`));
    expect(diagnosis.checkedAgainst).toMatch(/\d+\.\d+/);
  });

  it("fails when the tool does not start", async () => {
    fake = createFakeTool("codex");
    fake.plays({ version: "cannot load libfoo.so", versionExit: 127, steps: [] });
    const error = await refusal(new CodexAgent({ env: fake.env }).preflight({ rootDir: fake.cwd }));
    expect(error).toMatchObject({ code: "AGENT_PREFLIGHT_FAILED" });
    expect((error as Error).message).toContain("libfoo.so");
  });

  it("says what the tool prints without the secrets that it was given", async () => {
    fake = createFakeTool("codex");
    fake.plays({ version: "cannot use the key planted-key-0001", versionExit: 1, steps: [] });
    const agent = new CodexAgent({ env: fake.env, apiKey: "planted-key-0001" });
    const { message } = (await refusal(agent.preflight({ rootDir: fake.cwd }))) as Error;
    expect(message).toContain("cannot use the key [redacted]");
  });

  it("names the error of a tool that this Node is too old for, not what stands below it", async () => {
    fake = createFakeTool("kimi");
    const crash = [
      "file:///kimi/main.mjs:39",
      "import { createZstdDecompress } from 'node:zlib';",
      "         ^^^^^^^^^^^^^^^^^^^^",
      "SyntaxError: The requested module 'node:zlib' does not provide an export named 'createZstdDecompress'",
      "    at ModuleJob.run (node:internal/modules/esm/module_job:263:5)",
      "",
      "Node.js v20.20.2",
    ].join("\n");
    fake.plays({ version: crash, versionExit: 1, steps: [] });
    const error = await refusal(new KimiAgent({ env: fake.env }).preflight({ rootDir: fake.cwd }));
    expect((error as Error).message).toContain("exits with code 1: SyntaxError: The requested module");
  });

  it.each([
    [1, { version: "1.2.3" }],
    [2, { problem: { code: "AGENT_DIAGNOSTIC_TIMEOUT" } }],
  ])("asks once more when a tool does not answer in time: %i times", async (times, found) => {
    fake = createFakeTool("codex");
    const asked = join(fake.home, "asked");
    const script = `echo >> "${asked}"\n[ $(wc -l < "${asked}") -gt ${times} ] || exec sleep 600\necho 1.2.3`;
    writeFileSync(join(fake.env.PATH.split(":")[0] as string, "codex"), `#!/bin/sh\n${script}\n`);
    const clock = new VirtualClock();
    const env = { ...fake.env, OPENAI_API_KEY: "sk-something" };
    const diagnosis = new BaseCliAgent(codexEngine, { env }, clock).diagnose({ rootDir: fake.cwd });
    for (let time = 1; time <= times; time += 1) {
      await vi.waitFor(() => expect(readFileSync(asked, "utf8")).toHaveLength(time), { timeout: 100_000 });
      clock.moveTo(clock.now() + 20_000);
    }
    expect(await diagnosis).toMatchObject(found);
  });

  it("asks Claude Code whether a user is signed in", async () => {
    fake = createFakeTool("claude");
    const answers = (loggedIn: boolean) =>
      fake.plays({
        version: "2.1.197 (Claude Code)",
        commands: { "auth status": [{ out: JSON.stringify({ loggedIn, authMethod: "none" }, null, 2) }] },
        steps: [],
      });
    const agent = new ClaudeCodeAgent({ env: fake.env });
    answers(true);
    expect((await agent.diagnose({ rootDir: fake.cwd })).auth).toBe("ok");
    answers(false);
    expect((await agent.diagnose({ rootDir: fake.cwd })).auth).toBe("missing");
    expect(await refusal(agent.preflight({ rootDir: fake.cwd }))).toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      details: { reason: "auth" },
    });
  });

  it("asks Codex only where its answer would tell", async () => {
    fake = createFakeTool("codex");
    fake.plays({ commands: { "login status": [{ err: "Not logged in\n" }, { exit: 1 }] }, steps: [] });
    const authOf = async (options: ConstructorParameters<typeof CodexAgent>[0]) =>
      (await new CodexAgent({ env: fake.env, ...options }).diagnose({ rootDir: fake.cwd })).auth;
    expect(await authOf({})).toBe("missing");
    expect(await authOf({ apiKey: "sk-something" })).toBe("unknown");
    expect(await authOf({ config: { model_provider: "local" } })).toBe("unknown");
    expect(await authOf({ profile: "local" })).toBe("unknown");
    expect(await authOf({ extraArgs: ["--oss"] })).toBe("unknown");
    expect(await authOf({ extraArgs: ['--config=model_provider="local"'] })).toBe("unknown");
    expect(await authOf({ env: { ...fake.env, OPENAI_API_KEY: "sk-something" } })).toBe("unknown");
    mkdirSync(join(fake.home, ".codex"));
    writeFileSync(join(fake.home, ".codex", "config.toml"), 'model = "m1"\nmodel_provider = "local"\n');
    expect(await authOf({})).toBe("unknown");
  });

  it("does not ask Claude Code where settings are handed over, which may name a helper for the key", async () => {
    fake = createFakeTool("claude");
    fake.plays({ commands: { "auth status": [{ out: '{"loggedIn": false}\n' }] }, steps: [] });
    const authOf = async (options: ConstructorParameters<typeof ClaudeCodeAgent>[0]) =>
      (await new ClaudeCodeAgent({ env: fake.env, ...options }).diagnose({ rootDir: fake.cwd })).auth;
    expect(await authOf({})).toBe("missing");
    expect(await authOf({ extraArgs: ["--settings", "/s.json"] })).toBe("unknown");
  });

  it("refuses the predecessor of Kimi Code, which goes by the same name", async () => {
    fake = createFakeTool("kimi");
    const agent = new KimiAgent({ env: fake.env });
    fake.plays({ version: "2.1.0", steps: [] });
    await expect(agent.preflight({ rootDir: fake.cwd })).resolves.toBeUndefined();
    fake.plays({ version: "kimi, version 1.49.0", steps: [] });
    expect(await refusal(agent.preflight({ rootDir: fake.cwd }))).toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      details: { reason: "version" },
    });
  });

  it("ends when its signal fires", async () => {
    fake = createFakeTool("codex");
    fake.plays({ commands: { "login status": [{ hang: true }] }, steps: [] });
    const agent = new CodexAgent({ env: fake.env });
    const abortSignal = AbortSignal.timeout(200);
    expect(await refusal(agent.preflight({ rootDir: fake.cwd, abortSignal }))).toMatchObject({
      code: "PROCESS_ABORTED",
    });
  });
});
