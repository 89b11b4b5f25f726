import { describe, expect, it } from "vitest";
import { promptArgument, promptOf, withContext } from "../../../src/agents/cli/prompt.js";

describe("the prompt of a call", () => {
  it("is the prompt as it stands", () => {
    expect(promptOf({ prompt: "  Do it\n" }, "a")).toBe("  Do it\n");
  });

  it("is the text of a single message", () => {
    const content = [{ type: "text", text: "Do " }, { type: "image" }, { type: "text", text: "it" }];
    expect(promptOf({ messages: [{ role: "user", content }] }, "a")).toBe("Do it");
  });

  it("is a conversation written out, when there are several", () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
      { role: "assistant", content: "" },
      { role: "user", content: "Again" },
      "not a message",
    ];
    expect(promptOf({ messages }, "a")).toBe("SYSTEM:\nBe brief.\n\nUSER:\nHello\n\nUSER:\nAgain");
  });

  it("stands at the end of the conversation that comes with it", () => {
    const messages = [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi" },
    ];
    expect(promptOf({ prompt: "Again", messages }, "a")).toBe(
      "USER:\nHello\n\nASSISTANT:\nHi\n\nUSER:\nAgain",
    );
  });

  it.each([{}, { prompt: " " }, { messages: [] }, { messages: [{ role: "user", content: [] }] }])(
    "must not be empty: %j",
    (args) => {
      expect(() => promptOf(args, "a")).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
    },
  );

  it("follows the context for tools that have no place for it", () => {
    expect(withContext("Do it", ["System.", undefined, " ", "Instructions."])).toBe(
      "System.\n\nInstructions.\n\nDo it",
    );
  });
});

describe("a prompt as an argument", () => {
  it("stands there in full when it is short", async () => {
    expect(await promptArgument("Do it", () => Promise.reject(new Error("no file needed")))).toBe("Do it");
  });

  it.each([
    ["is too long for it", "é".repeat(70_000)],
    ["holds a NUL", "Read this: \0"],
  ])("is left in a file when the system could not take it: it %s", async (_why, prompt) => {
    const written = new Map<string, string>();
    const argument = await promptArgument(prompt, async (name, text) => {
      written.set(`/tmp/x/${name}`, text);
      return `/tmp/x/${name}`;
    });
    const [[path, text] = []] = [...written];
    expect(text).toBe(prompt);
    expect(argument).toContain(path);
  });
});
