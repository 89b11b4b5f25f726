import { describe, expect, it } from "vitest";
import { VibeAgent } from "../../../../src/agents/cli/index.js";
import { useFakeTool, flagValue, flagValues } from "../support/observe.js";

const vibe = useFakeTool("vibe");

const agent = (env: Record<string, string>) => new VibeAgent({ env });
const done = [{ lines: [{ role: "assistant", content: "ok" }] }];

describe("arguments of vibe", () => {
  it("carry every option", async () => {
    const { call } = await vibe.observe(
      (env) =>
        new VibeAgent({
          env,
          model: "devstral",
          yolo: true,
          agent: "plan",
          maxTurns: 5,
          maxPrice: 0.5,
          maxTokens: 1000,
          enabledTools: ["bash*", "grep"],
          continueSession: true,
        }),
      done,
    );
    expect(call.argv[0]).toBe("--prompt=Do it");
    expect(flagValue(call, "--output")).toBe("streaming");
    expect(flagValue(call, "--agent")).toBe("plan");
    expect(flagValue(call, "--max-turns")).toBe("5");
    expect(flagValue(call, "--max-price")).toBe("0.5");
    expect(flagValue(call, "--max-tokens")).toBe("1000");
    expect(flagValues(call, "--enabled-tools")).toEqual(["bash*", "grep"]);
    expect(call.argv).toContain("--continue");
    expect(call.argv).toContain("--auto-approve");
    expect(call.env["VIBE_ACTIVE_MODEL"]).toBe("devstral");
  });

  it("hold a prompt that looks like a flag", async () => {
    const { call } = await vibe.observe(agent, done, { prompt: "--help me" });
    expect(call.argv[0]).toBe("--prompt=--help me");
  });

  it("name a file when the prompt is too long for them", async () => {
    const { call } = await vibe.observe(agent, done, { prompt: "word ".repeat(60_000) });
    expect(call.argv[0]?.length).toBeLessThan(1_000);
    expect(call.argv[0]).toMatch(/prompt\.md/);
  });
});

describe("output of vibe", () => {
  it("shows reasoning apart from the answer", async () => {
    const { result, actions } = await vibe.observe(agent, [
      { lines: [{ role: "assistant", content: "Yes.", reasoning_content: "Hm." }] },
    ]);
    expect(result?.text).toBe("Yes.");
    expect(actions[0]).toMatchObject({ entryType: "thought", message: "Hm." });
  });

  it.each([
    ["Turn limit of 5 reached", "limit"],
    ["Error: Missing MISTRAL_API_KEY. Set the environment variable, or run `vibe --setup` once.", "auth"],
  ])("ends in an error that is understood: %s", async (message, reason) => {
    const { error } = await vibe.observe(agent, [{ err: `${message}\n` }, { exit: 1 }]);
    expect(error?.details).toMatchObject({ reason });
  });
});
