import { describe, expect, it } from "vitest";
import { AmpAgent } from "../../../../src/agents/cli/index.js";
import { useFakeTool, flagValue } from "../support/observe.js";

const amp = useFakeTool("amp");

const done = [
  { lines: [{ type: "result", subtype: "success", is_error: false, result: "ok", session_id: "T-1" }] },
];

describe("arguments of amp", () => {
  it("carry every option", async () => {
    const { call } = await amp.observe(
      (env) =>
        new AmpAgent({
          env,
          model: "high",
          visibility: "private",
          mcpConfig: "/m.json",
          dangerouslyAllowAll: true,
          logLevel: "info",
        }),
      done,
    );
    expect(call.argv.slice(0, 2)).toEqual(["--execute", "--stream-json"]);
    expect(flagValue(call, "--mode")).toBe("high");
    expect(flagValue(call, "--visibility")).toBe("private");
    expect(flagValue(call, "--mcp-config")).toBe("/m.json");
    expect(flagValue(call, "--log-level")).toBe("info");
    expect(call.argv).toContain("--dangerously-allow-all");
  });

  it.each([{ yolo: true }, { yolo: true, dangerouslyAllowAll: true }])(
    "are permissive once: %j",
    async (options) => {
      const { call } = await amp.observe((env) => new AmpAgent({ env, ...options }), done);
      expect(call.argv.filter((argument) => argument === "--dangerously-allow-all")).toHaveLength(1);
    },
  );

  it("begin with the thread to continue", async () => {
    const { call } = await amp.observe((env) => new AmpAgent({ env }), done, { resumeSession: "T-9" });
    expect(call.argv.slice(0, 4)).toEqual(["threads", "continue", "T-9", "--execute"]);
  });
});

describe("failures of amp", () => {
  it.each([
    ["Error: Couldn't connect to the Amp server at https://ampcode.com/.", "transient"],
    ["No API key found. Starting login flow...", "auth"],
  ])("are told apart: %s", async (message, reason) => {
    const { error } = await amp.observe(
      (env) => new AmpAgent({ env }),
      [{ err: `${message}\n` }, { exit: 1 }],
    );
    expect(error?.details).toMatchObject({ reason });
  });
});
