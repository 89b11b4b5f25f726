import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PiAgent, type PiAgentOptions, type PiExtensionUiRequest } from "../../../../src/agents/cli/index.js";
import { createFakeTool, type FakeTool, type Step } from "../support/fake-tool.js";

let fake: FakeTool;
beforeEach(() => {
  fake = createFakeTool("pi");
});
afterEach(() => fake.remove());

/** What Pi prints in RPC mode for one prompt, with something in the middle. */
function conversation(...middle: Step[]): Step[] {
  return [
    { expect: '"type":"prompt"' },
    {
      lines: [{ id: "prompt", type: "response", command: "prompt", success: true }, { type: "agent_start" }],
    },
    { expect: '"type":"get_state"' },
    { lines: [{ type: "response", command: "get_state", success: true, data: { sessionId: "s1" } }] },
    ...middle,
    {
      lines: [
        { type: "message_end", message: { role: "assistant", content: [{ type: "text", text: "Done." }] } },
        { type: "agent_end", messages: [] },
      ],
    },
  ];
}

function ask(options: PiAgentOptions, steps: Step[]) {
  fake.plays({ steps, ignoreStdin: true });
  return new PiAgent({ env: fake.env, ...options }).generate({ prompt: "Do it", rootDir: fake.cwd });
}

const question = (method: string): Step => ({
  lines: [{ type: "extension_ui_request", id: "q1", method, title: "Allow?", options: ["Yes", "No"] }],
});

describe("Pi in RPC mode", () => {
  it("gets the prompt as a command, and knows its conversation", async () => {
    const result = await ask({ mode: "rpc" }, conversation());
    expect(result).toEqual({ text: "Done.", sessionId: "s1" });
    expect(fake.lastCall().argv.slice(0, 2)).toEqual(["--mode", "rpc"]);
    expect(fake.lastCall().argv).not.toContain("--print");
  });

  it("is the mode when a person can answer questions", async () => {
    const asked: PiExtensionUiRequest[] = [];
    const result = await ask(
      {
        async onExtensionUiRequest(request) {
          asked.push(request);
          return { type: "extension_ui_response", id: request.id, value: "Yes" };
        },
      },
      conversation(question("select"), { expect: '"value":"Yes"' }),
    );
    expect(result.text).toBe("Done.");
    expect(asked).toEqual([
      { type: "extension_ui_request", id: "q1", method: "select", title: "Allow?", options: ["Yes", "No"] },
    ]);
  });

  it.each<[string, PiAgentOptions]>([
    ["nobody is there", { mode: "rpc" }],
    ["the answer is null", { onExtensionUiRequest: () => null }],
    [
      "answering fails",
      {
        onExtensionUiRequest() {
          throw new TypeError("no idea");
        },
      },
    ],
  ])("cancels a question when %s, so that the agent continues", async (_why, options) => {
    const result = await ask(options, conversation(question("confirm"), { expect: '"cancelled":true' }));
    expect(result.text).toBe("Done.");
  });

  it("passes notices on without an answer", async () => {
    const methods: string[] = [];
    const onExtensionUiRequest = (request: PiExtensionUiRequest) => {
      methods.push(request.method);
      return null;
    };
    await ask({ onExtensionUiRequest }, conversation(question("notify")));
    expect(methods).toEqual(["notify"]);
  });

  it("fails when the prompt is refused", async () => {
    const refused = {
      type: "response",
      command: "prompt",
      success: false,
      error: "No API key for provider: google",
    };
    await expect(ask({ mode: "rpc" }, [{ expect: "prompt" }, { lines: [refused] }])).rejects.toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      details: { reason: "auth" },
    });
  });
});
