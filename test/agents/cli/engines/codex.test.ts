import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CodexAgent, type CodexAgentOptions } from "../../../../src/agents/cli/index.js";
import { outline, useFakeTool, flagValue, flagValues } from "../support/observe.js";

const codex = useFakeTool("codex");

const agent = (env: Record<string, string>) => new CodexAgent({ env });
const end = { type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } };
const done = [{ lines: [end] }];
const item = (type: "started" | "updated" | "completed", members: object) => ({
  type: `item.${type}`,
  item: members,
});

describe("arguments of codex", () => {
  it("carry every option", async () => {
    const { call } = await codex.observe(
      (env) =>
        new CodexAgent({
          env,
          model: "gpt-6",
          sandbox: "workspace-write",
          profile: "work",
          config: {
            model_reasoning_effort: "high",
            "tools.web_search": true,
            list: [1, "a"],
            box: { n: 1 },
            off: null,
          },
          outputSchema: "/schema.json",
          configDir: "/conf",
          apiKey: "sk-codex-secret",
        }),
      done,
    );
    expect(call.argv.slice(0, 3)).toEqual(["exec", "--json", "--skip-git-repo-check"]);
    expect(flagValue(call, "--model")).toBe("gpt-6");
    expect(flagValue(call, "--sandbox")).toBe("workspace-write");
    expect(flagValue(call, "--profile")).toBe("work");
    expect(flagValues(call, "--config")).toEqual([
      'model_reasoning_effort="high"',
      "tools.web_search=true",
      'list=[1, "a"]',
      'box={"n" = 1}',
    ]);
    expect(flagValue(call, "--output-schema")).toBe("/schema.json");
    expect(call.argv.at(-1)).toBe("-");
    expect(call.env).toMatchObject({ CODEX_HOME: "/conf", CODEX_API_KEY: "sk-codex-secret" });
  });

  it("come with OPENAI_API_KEY in the variable that the tool reads, where no user has signed in", async () => {
    const OPENAI_API_KEY = "sk-openai-secret";
    const keyOf = async (more: CodexAgentOptions = {}) => {
      const build = (env: Record<string, string>) =>
        new CodexAgent({ ...more, env: { ...env, OPENAI_API_KEY } });
      return (await codex.observe(build, done)).call.env["CODEX_API_KEY"];
    };
    expect(await keyOf()).toBe(OPENAI_API_KEY);
    expect(await keyOf({ config: { model_provider: "local" } })).toBeUndefined();
    mkdirSync(join(codex.now.home, ".codex"));
    writeFileSync(join(codex.now.home, ".codex", "auth.json"), "{}");
    expect(await keyOf()).toBeUndefined();
  });

  it("do what the flag for full automation stood for", async () => {
    const { call } = await codex.observe((env) => new CodexAgent({ env, fullAuto: true }), done);
    expect(call.argv).not.toContain("--full-auto");
    expect(flagValue(call, "--sandbox")).toBe("workspace-write");
  });

  it("name the sandbox once when two options ask for the same", async () => {
    const build = (env: Record<string, string>) =>
      new CodexAgent({ env, fullAuto: true, sandbox: "workspace-write" });
    const { call } = await codex.observe(build, done);
    expect(flagValues(call, "--sandbox")).toEqual(["workspace-write"]);
  });

  it("put the flags of a resumed conversation before its subcommand", async () => {
    const build = (env: Record<string, string>) => new CodexAgent({ env, sandbox: "read-only" });
    const { call } = await codex.observe(build, done, { resumeSession: "t1" });
    expect(call.argv.indexOf("--sandbox")).toBeLessThan(call.argv.indexOf("resume"));
    expect(call.argv.slice(-3)).toEqual(["resume", "t1", "-"]);
  });

  it("switch sandbox and approvals off on demand, and pass overrides on as they are", async () => {
    const build = (env: Record<string, string>) => new CodexAgent({ env, yolo: true, config: ["a.b=1"] });
    const { call } = await codex.observe(build, done);
    expect(call.argv).toContain("--dangerously-bypass-approvals-and-sandbox");
    expect(flagValues(call, "--config")).toEqual(["a.b=1"]);
  });
});

describe("output of codex", () => {
  it("tells of commands, and of those that fail", async () => {
    const run = { id: "1", type: "command_execution", command: "npm test", aggregated_output: "1 failed" };
    const { actions } = await codex.observe(agent, [
      {
        lines: [
          item("started", { ...run, status: "in_progress" }),
          item("completed", { ...run, exit_code: 1, status: "failed" }),
          end,
        ],
      },
    ]);
    expect(outline(actions)).toEqual(["command started npm test", "command completed npm test"]);
    expect(actions[1]).toMatchObject({ ok: false, message: "1 failed" });
  });

  it("tells of changed files, searches and other tools", async () => {
    const changes = [
      { path: "a.ts", kind: "add" },
      { path: "b.ts", kind: "update" },
    ];
    const mcp = { id: "3", type: "mcp_tool_call", server: "db", tool: "query", arguments: { q: 1 } };
    const { actions } = await codex.observe(agent, [
      {
        lines: [
          item("completed", { id: "1", type: "file_change", changes, status: "completed" }),
          item("started", { id: "2", type: "web_search", query: "weather" }),
          item("completed", { id: "2", type: "web_search", query: "weather" }),
          item("started", mcp),
          item("completed", { ...mcp, error: { message: "no such table" }, status: "failed" }),
          end,
        ],
      },
    ]);
    expect(outline(actions)).toEqual([
      "file_change completed a.ts, b.ts",
      "web_search started weather",
      "web_search completed weather",
      "tool started db.query",
      "tool completed db.query",
    ]);
    expect(actions[0]?.action.detail).toEqual({ input: changes });
    expect(actions.at(-1)).toMatchObject({ ok: false, message: "no such table" });
  });

  it("tells of the things to do as they change", async () => {
    const list = (done: boolean) => ({
      id: "9",
      type: "todo_list",
      items: [{ text: "One", completed: done }],
    });
    const { actions } = await codex.observe(agent, [
      { lines: [item("started", list(false)), item("updated", list(true)), end] },
    ]);
    expect(outline(actions)).toEqual(["todo_list updated todo_list", "todo_list updated todo_list"]);
    expect(actions[1]?.action.detail).toEqual({ input: [{ text: "One", completed: true }] });
  });

  it("keeps reasoning out of the answer", async () => {
    const { result, actions } = await codex.observe(agent, [
      {
        lines: [
          item("completed", { id: "1", type: "agent_message", text: "First thoughts." }),
          item("completed", { id: "2", type: "reasoning", text: "Hm." }),
          item("completed", { id: "3", type: "agent_message", text: "The answer." }),
          end,
        ],
      },
    ]);
    expect(result?.text).toBe("The answer.");
    expect(outline(actions)[1]).toBe("reasoning completed reasoning");
  });

  it("warns without failing when something is merely odd", async () => {
    const odd = item("completed", { id: "0", type: "error", message: "Model metadata not found." });
    const { result, actions } = await codex.observe(agent, [
      { lines: [odd, item("completed", { id: "1", type: "agent_message", text: "Fine." }), end] },
    ]);
    expect(result?.text).toBe("Fine.");
    expect(actions[0]).toMatchObject({ level: "warning", message: "Model metadata not found." });
  });
});
