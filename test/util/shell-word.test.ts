import { expect, it } from "vitest";
import { shellWord } from "../../src/util/shell-word.js";

it("a word of a command is quoted only where a shell would misread it", () => {
  expect(shellWord("plain-word_1.0/@x")).toBe("plain-word_1.0/@x");
  expect(shellWord("it's")).toBe(`'it'\\''s'`);
  expect(shellWord("")).toBe("''");
  expect(shellWord("$(rm)")).toBe("'$(rm)'");
});
