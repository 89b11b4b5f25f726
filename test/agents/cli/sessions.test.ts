import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { BaseCliAgent } from "../../../src/agents/cli/base-cli-agent.js";
import {
  AmpAgent,
  AntigravityAgent,
  ClaudeCodeAgent,
  CodexAgent,
  ForgeAgent,
  GeminiAgent,
  KimiAgent,
  OpenCodeAgent,
  PiAgent,
  VibeAgent,
} from "../../../src/agents/cli/index.js";
import type { AgentCliEvent, ResumeCommand } from "../../../src/model/agent.js";
import { createFakeTool, type FakeTool } from "./support/fake-tool.js";

let fake: FakeTool;
afterEach(() => fake?.remove());

describe("handing a conversation over to a terminal", () => {
  it.each<[string, { resumeCommand(id: string): ResumeCommand | undefined }, string]>([
    ["Claude Code", new ClaudeCodeAgent(), "claude --resume c1"],
    ["Codex", new CodexAgent(), "codex resume c1"],
    ["Antigravity", new AntigravityAgent({ configDir: "/conf" }), "agy --gemini_dir /conf --conversation c1"],
    ["Gemini CLI", new GeminiAgent(), "gemini --resume c1"],
    ["Pi", new PiAgent({ sessionDir: "/s" }), "pi --session-dir /s --session c1"],
    ["Kimi Code", new KimiAgent(), "kimi --session c1"],
    ["Forge", new ForgeAgent(), "forge --conversation-id c1"],
    ["Amp", new AmpAgent(), "amp threads continue c1"],
    ["Mistral Vibe", new VibeAgent(), "vibe --resume c1"],
  ])("is done by one command: %s", (_name, agent, command) => {
    const resume = agent.resumeCommand("c1");
    expect([resume?.command, ...(resume?.args ?? [])].join(" ")).toBe(command);
  });

  it("is not possible with OpenCode", () => {
    expect(new OpenCodeAgent().resumeCommand("c1")).toBeUndefined();
  });

  it("takes the tool's folder along", () => {
    expect(new CodexAgent({ configDir: "/conf" }).resumeCommand("c1")?.env).toEqual({ CODEX_HOME: "/conf" });
  });
});

describe("a resumed conversation", () => {
  it("does not get its instructions again", async () => {
    fake = createFakeTool("codex");
    fake.plays([{ lines: [{ type: "turn.completed" }] }]);
    const agent = new CodexAgent({ env: fake.env, instructions: "Use metres." });
    await agent.generate({ prompt: "Continue", rootDir: fake.cwd, resumeSession: "t1" });
    expect(fake.lastCall().stdin).toBe("Continue");
  });

  it("counts the tokens of each call, though Codex counts those of the conversation", async () => {
    fake = createFakeTool("codex");
    const call = (input: number, output: number) => [
      {
        lines: [
          { type: "thread.started", thread_id: "t1" },
          { type: "turn.completed", usage: { input_tokens: input, output_tokens: output } },
        ],
      },
    ];
    const fork = [
      {
        lines: [
          { type: "thread.started", thread_id: "t2" },
          { type: "turn.completed", usage: { input_tokens: 70, output_tokens: 30 } },
        ],
      },
    ];
    fake.plays({ steps: [], series: [call(40, 18), call(60, 27), fork] });
    const agent = new CodexAgent({ env: fake.env });
    const first = await agent.generate({ prompt: "One", rootDir: fake.cwd });
    const second = await agent.generate({ prompt: "Two", rootDir: fake.cwd, resumeSession: "t1" });
    expect(first.usage).toEqual({ inputTokens: 40, outputTokens: 18 });
    expect(second.usage).toEqual({ inputTokens: 20, outputTokens: 9 });
    const forking = { prompt: "Three", rootDir: fake.cwd, resumeSession: "t1", forkSession: true };
    expect((await agent.generate(forking)).usage).toEqual({ inputTokens: 10, outputTokens: 3 });
  });
});

describe("tokens of a Codex conversation that the tool has kept", () => {
  /** As the tool writes it while it works; the last line of one that was killed is cut short. */
  function keeps(sessionId: string, ...totals: [input: number, output: number][]) {
    const folder = join(fake.home, ".codex", "sessions", "2026", "11", "23");
    mkdirSync(folder, { recursive: true });
    const lines = totals.map(([input_tokens, output_tokens]) =>
      JSON.stringify({
        type: "event_msg",
        payload: { type: "token_count", info: { total_token_usage: { input_tokens, output_tokens } } },
      }),
    );
    const text = [...lines, '{"type":"event_msg","payload":{"type":"token_count","in'].join("\n");
    writeFileSync(join(folder, `rollout-2026-11-23T09-00-00-${sessionId}.jsonl`), text);
  }
  const answers = (thread_id: string, input_tokens: number, output_tokens: number) => [
    {
      lines: [
        { type: "thread.started", thread_id },
        { type: "turn.completed", usage: { input_tokens, output_tokens } },
      ],
    },
  ];

  it.each([true, false])("are not counted again by another process (fork: %s)", async (forkSession) => {
    fake = createFakeTool("codex");
    keeps("t1", [40, 5], [80, 20]);
    fake.plays(answers(forkSession ? "t2" : "t1", 160, 40));
    const events: AgentCliEvent[] = [];
    const { usage } = await new CodexAgent({ env: fake.env }).generate({
      prompt: "Go on",
      rootDir: fake.cwd,
      resumeSession: "t1",
      forkSession,
      onEvent: (event) => void events.push(event),
    });
    expect(usage).toEqual({ inputTokens: 80, outputTokens: 20 });
    expect(events.at(-1)).toMatchObject({ type: "completed", usage });
  });

  it.each([
    ["new", undefined, { inputTokens: 80, outputTokens: 20 }],
    ["resumed", [[30, 5]] as [number, number][], { inputTokens: 50, outputTokens: 15 }],
  ])("are those of a call that was killed in a %s one", async (_, before, usage) => {
    fake = createFakeTool("codex");
    if (before !== undefined) keeps("t1", ...before);
    fake.plays([{ lines: [{ type: "thread.started", thread_id: "t1" }] }, { hang: true }]);
    const aborted = new AbortController();
    const events: AgentCliEvent[] = [];
    const call = new CodexAgent({ env: fake.env }).generate({
      prompt: "Work",
      rootDir: fake.cwd,
      abortSignal: aborted.signal,
      ...(before !== undefined && { resumeSession: "t1" }),
      onEvent(event) {
        events.push(event);
        if (event.type !== "started") return;
        keeps("t1", ...(before ?? []), [80, 20]);
        aborted.abort();
      },
    });
    await expect(call).rejects.toMatchObject({ code: "PROCESS_ABORTED" });
    expect(events.at(-1)).toMatchObject({ type: "completed", ok: false, usage });
  });
});

describe("the share folder of Kimi", () => {
  const answer = [{ lines: [{ role: "assistant", content: "ok" }] }];

  async function shareDirOf(agent: KimiAgent, runId?: string): Promise<string> {
    fake.plays(answer);
    await agent.generate({
      prompt: "x",
      rootDir: fake.cwd,
      ...(runId !== undefined && { taskContext: { runId } }),
    });
    return fake.lastCall().env["KIMI_CODE_HOME"] as string;
  }

  it("is one for each run, with the configuration and the conversations of the shared one", async () => {
    fake = createFakeTool("kimi");
    const shared = join(fake.home, ".kimi-code");
    mkdirSync(join(shared, "sessions", "abc"), { recursive: true });
    writeFileSync(join(shared, "config.toml"), "default_model = 'k'\n");
    writeFileSync(join(shared, "workspaces.json"), '{"workspaces":[]}');
    const agent = new KimiAgent({ env: fake.env });
    const one = await shareDirOf(agent, "run-1");
    expect(await shareDirOf(agent, "run-1")).toBe(one);
    expect(await shareDirOf(agent, "run-2")).not.toBe(one);
    expect(readFileSync(join(one, "config.toml"), "utf8")).toContain("default_model");
    expect(realpathSync(join(one, "sessions"))).toBe(realpathSync(join(shared, "sessions")));
    expect(realpathSync(join(one, "credentials"))).toBe(realpathSync(join(shared, "credentials")));
    expect(lstatSync(join(one, "workspaces.json")).isSymbolicLink()).toBe(false);
  });

  it("is the agent's own outside of runs, and the one to open in a terminal", async () => {
    fake = createFakeTool("kimi");
    const agent = new KimiAgent({ env: fake.env });
    const folder = await shareDirOf(agent);
    expect(folder).not.toBe(await shareDirOf(new KimiAgent({ env: fake.env })));
    expect(agent.resumeCommand("c1")?.env).toEqual({ KIMI_CODE_HOME: folder });
  });

  it("goes when it was not used for 30 days, and what it links to stays", async () => {
    fake = createFakeTool("kimi");
    const agent = new KimiAgent({ env: fake.env });
    const old = await shareDirOf(agent, "old");
    const used = await shareDirOf(agent, "used");
    writeFileSync(join(fake.home, ".kimi-code", "sessions", "talk"), "kept");
    const longAgo = new Date(Date.now() - 31 * 86_400_000);
    for (const folder of [old, used]) utimesSync(folder, longAgo, longAgo);
    await shareDirOf(agent, "used");
    expect([existsSync(old), existsSync(used)]).toEqual([false, true]);
    expect(readFileSync(join(fake.home, ".kimi-code", "sessions", "talk"), "utf8")).toBe("kept");
  });

  it("is made below the folder of the options, unless a variable names it outright", async () => {
    fake = createFakeTool("kimi");
    const configDir = join(fake.home, "conf");
    mkdirSync(configDir);
    expect(await shareDirOf(new KimiAgent({ env: fake.env, configDir }), "r")).toMatch(
      new RegExp(`^${configDir}/`),
    );
    const exact = join(fake.home, "exact");
    expect(await shareDirOf(new KimiAgent({ env: { ...fake.env, KIMI_CODE_HOME: exact } }), "r")).toBe(exact);
    expect(existsSync(exact)).toBe(false);
  });
});

describe("the conversation of Vibe", () => {
  function leave(name: string, metadata: object, mtime = Date.now() / 1_000 + 60): void {
    const folder = join(fake.home, ".vibe", "logs", "session", name);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, "meta.json");
    writeFileSync(path, JSON.stringify(metadata));
    utimesSync(path, mtime, mtime);
  }

  async function sessionId(extra: object = {}): Promise<string | undefined> {
    fake.plays([{ lines: [{ role: "assistant", content: "ok" }] }]);
    const result = await new VibeAgent({ env: fake.env }).generate({
      prompt: "x",
      rootDir: fake.cwd,
      ...extra,
    });
    return result.sessionId;
  }

  it("is found where the tool leaves it", async () => {
    fake = createFakeTool("vibe");
    const environment = { working_directory: fake.cwd };
    leave("session_20260101_000000_old", { session_id: "old", environment }, 1_000);
    leave("session_20260820_100000_elsewhere", {
      session_id: "other",
      environment: { working_directory: "/x" },
    });
    leave("session_20260820_100001_broken", {});
    leave("session_20260820_100002_mine", { session_id: "mine", environment });
    expect(await sessionId()).toBe("mine");
  });

  it("is unknown when two were at work in the same folder", async () => {
    fake = createFakeTool("vibe");
    const environment = { working_directory: fake.cwd };
    leave("session_20260820_100000_a", { session_id: "a", environment });
    leave("session_20260820_100000_b", { session_id: "b", environment });
    expect(await sessionId()).toBeUndefined();
    expect(await sessionId({ resumeSession: "known" })).toBe("known");
  });
});

describe("a forked conversation", () => {
  const FORKS: [string, (env: Record<string, string>) => BaseCliAgent, readonly string[]][] = [
    [
      "claude",
      (env) => new ClaudeCodeAgent({ env }) as unknown as BaseCliAgent,
      ["--resume", "c1", "--fork-session"],
    ],
    ["codex", (env) => new CodexAgent({ env }) as unknown as BaseCliAgent, ["fork", "c1", "-"]],
    ["pi", (env) => new PiAgent({ env }) as unknown as BaseCliAgent, ["--fork", "c1"]],
    [
      "opencode",
      (env) => new OpenCodeAgent({ env }) as unknown as BaseCliAgent,
      ["--session", "c1", "--fork"],
    ],
  ];
  const call = { prompt: "Continue", resumeSession: "c1", forkSession: true };

  it.each(FORKS)("is a new one of %s, and the old one stays as it is", async (command, create, args) => {
    fake = createFakeTool(command);
    fake.plays([]);
    const agent = create(fake.env);
    expect(agent.supportsSessionFork).toBe(true);
    await agent.generate({ ...call, rootDir: fake.cwd }).catch(() => undefined);
    expect(fake.lastCall().argv.join(" ")).toContain(args.join(" "));
  });

  it("hears the instructions of the agent that forks it", async () => {
    fake = createFakeTool("codex");
    fake.plays([{ lines: [{ type: "turn.completed" }] }]);
    await new CodexAgent({ env: fake.env, instructions: "Use metres." }).generate({
      ...call,
      rootDir: fake.cwd,
    });
    expect(fake.lastCall().stdin).toBe("Use metres.\n\nContinue");
  });

  it("is refused where the tool has none, rather than continued", async () => {
    fake = createFakeTool("gemini");
    const agent = new GeminiAgent({ env: fake.env });
    expect(agent.supportsSessionFork).toBe(false);
    await expect(agent.generate({ ...call, rootDir: fake.cwd })).rejects.toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      details: { reason: "fork" },
    });
    expect(fake.calls()).toEqual([]);
  });
});
