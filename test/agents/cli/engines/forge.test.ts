import { describe, expect, it } from "vitest";
import { ForgeAgent } from "../../../../src/agents/cli/index.js";
import { useFakeTool, flagValue } from "../support/observe.js";

const forge = useFakeTool("forge");

const agent = (env: Record<string, string>) => new ForgeAgent({ env });
const title = (text: string) => `● [12:34:56] ${text}\n`;

describe("arguments of forge", () => {
  it("carry every option; model and provider go by variables, since there are no flags for them", async () => {
    const { call } = await forge.observe(
      (env) =>
        new ForgeAgent({
          env,
          model: "open_router/anthropic/claude",
          agent: "sage",
          sandbox: "trial",
          restricted: true,
        }),
      [{ out: "ok\n" }],
    );
    expect(call.env).toMatchObject({
      FORGE_SESSION__PROVIDER_ID: "open_router",
      FORGE_SESSION__MODEL_ID: "anthropic/claude",
      FORGE_RESTRICTED: "true",
    });
    expect(flagValue(call, "--agent")).toBe("sage");
    expect(flagValue(call, "--sandbox")).toBe("trial");
  });

  it("leave a model in one piece when its provider is named apart", async () => {
    const build = (env: Record<string, string>) =>
      new ForgeAgent({ env, model: "anthropic/claude", provider: "open_router", yolo: true });
    const { call } = await forge.observe(build, [{ out: "ok\n" }]);
    expect(call.env).toMatchObject({
      FORGE_SESSION__PROVIDER_ID: "open_router",
      FORGE_SESSION__MODEL_ID: "anthropic/claude",
      FORGE_RESTRICTED: "false",
    });
  });

  it("name the conversation: ours, or the one of the options", async () => {
    const ours = await forge.observe(agent, [{ out: "ok\n" }]);
    expect(flagValue(ours.call, "--conversation-id")).toBe(ours.result?.sessionId);
    const given = await forge.observe(
      (env) => new ForgeAgent({ env, conversationId: "mine" }),
      [{ out: "ok\n" }],
    );
    expect(given.result?.sessionId).toBe("mine");
  });
});

describe("output of forge", () => {
  it("is the last block of text when the conversation cannot be asked", async () => {
    const { result } = await forge.observe(agent, [
      {
        out: `${title("Initialize c1")}Let me see.\n${title("Read a.ts")}Line one.\n\nLine two.\n${title("Finished c1")}`,
      },
    ]);
    expect(result?.text.trim()).toBe("Line one.\n\nLine two.");
  });

  it("is the last message of the conversation when that can be asked", async () => {
    const { result } = await forge.observe(agent, {
      commands: { "conversation show \\S+ --md": [{ out: "# The answer\n\nIn full.\n" }] },
      steps: [{ out: "output of a command\n# The answer (rendered)\n" }],
    });
    expect(result?.text.trim()).toBe("# The answer\n\nIn full.");
  });

  it("is read without colours", async () => {
    const { result, actions } = await forge.observe(agent, [
      {
        out: "\u001b[33m●\u001b[0m \u001b[2m[12:34:56]\u001b[0m Execute [/bin/sh] ls\n\u001b[1mDone\u001b[0m\n",
      },
    ]);
    expect(actions[0]?.action).toMatchObject({ kind: "command", title: "Execute [/bin/sh] ls" });
    expect(result?.text.trim()).toBe("Done");
  });

  it("tells what kind of work a title announces", async () => {
    const { actions } = await forge.observe(agent, [
      { out: ["Create a.ts", "Read b.ts", "Execute ls", "Initialize c1"].map(title).join("") },
    ]);
    expect(actions.map(({ action }) => action.kind)).toEqual(["file_change", "tool", "command"]);
  });

  it("continues after errors that the tool repeats, and fails by those on stderr", async () => {
    const repeated = await forge.observe(agent, [{ out: `${title("ERROR: 429 Too Many Requests")}Done.\n` }]);
    expect(repeated.result?.text.trim()).toBe("Done.");
    expect(repeated.actions[0]).toMatchObject({ level: "warning", message: "429 Too Many Requests" });
    const failed = await forge.observe(agent, [{ err: title("ERROR: Provider openai is not available") }]);
    expect(failed.error).toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      details: { exitCode: 0, reason: "auth" },
    });
  });
});
