import { describe, expect, it } from "vitest";
import { createCommandText } from "../../../src/cli/runs/command-text.js";

describe("a command to paste", () => {
  it("names the database only when the call did", () => {
    expect(createCommandText({})("treadle why k3j2")).toBe("treadle why k3j2");
    expect(createCommandText({ db: "my data/service.db" })("treadle why k3j2")).toBe(
      "treadle why k3j2 --db 'my data/service.db'",
    );
  });
});
