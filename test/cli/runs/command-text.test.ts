import { describe, expect, it } from "vitest";
import { createCommandText, shellWord } from "../../../src/cli/runs/command-text.js";

describe("a command to paste", () => {
  it("names the database only when the call did", () => {
    expect(createCommandText({})("treadle why k3j2")).toBe("treadle why k3j2");
    expect(createCommandText({ db: "my data/service.db" })("treadle why k3j2")).toBe(
      "treadle why k3j2 --db 'my data/service.db'",
    );
  });

  it("quotes words only where a shell would misread them", () => {
    expect(shellWord("plain-word_1.0/@x")).toBe("plain-word_1.0/@x");
    expect(shellWord("it's")).toBe(`'it'\\''s'`);
    expect(shellWord("")).toBe("''");
    expect(shellWord("$(rm)")).toBe("'$(rm)'");
  });
});
