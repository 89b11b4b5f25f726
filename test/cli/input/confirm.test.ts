import { describe, expect, it } from "vitest";
import { ask, confirm } from "../../../src/cli/input/confirm.js";
import { memoryTerminal } from "../support/terminal.js";

describe("a question", () => {
  it("is answered on a terminal and stands on stderr", async () => {
    const terminal = memoryTerminal({ isInteractive: true, answers: ["y"] });
    await expect(confirm("Really?", { terminal, yes: false })).resolves.toBe(true);
    expect(terminal.errEnd.text).toBe("Really? [y/N] ");
    expect(terminal.outEnd.text).toBe("");
  });

  it.each(["", "n", "no", "yep"])("is declined by %j", async (answer) => {
    const terminal = memoryTerminal({ isInteractive: true, answers: [answer] });
    await expect(confirm("Really?", { terminal, yes: false })).resolves.toBe(false);
  });

  it("is not asked with --yes", async () => {
    const terminal = memoryTerminal({ isInteractive: true });
    await expect(confirm("Really?", { terminal, yes: true })).resolves.toBe(true);
    expect(terminal.errEnd.text).toBe("");
  });

  it("is a usage error that names the flag without a terminal", async () => {
    await expect(confirm("Really?", { terminal: memoryTerminal(), yes: false })).rejects.toEqual(
      expect.objectContaining({ code: "CLI_USAGE", message: expect.stringContaining("--yes") }),
    );
  });

  it("takes a whole line as the answer", async () => {
    const terminal = memoryTerminal({ isInteractive: true, answers: ["  plan b "] });
    await expect(ask("Which? ", terminal)).resolves.toBe("plan b");
  });
});
