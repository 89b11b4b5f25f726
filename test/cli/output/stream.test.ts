import { describe, expect, it } from "vitest";
import { OutputStream } from "../../../src/cli/output/stream.js";
import { MemoryEnd } from "../support/terminal.js";

const isColored = (isTTY: boolean, environment: NodeJS.ProcessEnv) =>
  new OutputStream(new MemoryEnd({ isTTY }), environment).colors.red("x") !== "x";

describe("colours", () => {
  it("are for terminals", () => {
    expect(isColored(true, {})).toBe(true);
    expect(isColored(false, {})).toBe(false);
    expect(isColored(true, { TERM: "dumb" })).toBe(false);
  });

  it("follow NO_COLOR and FORCE_COLOR, NO_COLOR first", () => {
    expect(isColored(true, { NO_COLOR: "1" })).toBe(false);
    expect(isColored(false, { FORCE_COLOR: "1" })).toBe(true);
    expect(isColored(true, { FORCE_COLOR: "0" })).toBe(false);
    expect(isColored(true, { NO_COLOR: "1", FORCE_COLOR: "1" })).toBe(false);
  });

  it("ignore empty settings", () => {
    expect(isColored(true, { NO_COLOR: "", FORCE_COLOR: "" })).toBe(true);
  });
});

describe("a reader that goes away", () => {
  it("drops later writes without an error", () => {
    const end = new MemoryEnd();
    const stream = new OutputStream(end, {});
    stream.line("first");
    end.breakPipe();
    stream.line("second");
    expect(end.text).toBe("first\n");
    expect(stream.isOpen).toBe(false);
  });

  it("does not keep a flush waiting", async () => {
    const end = new MemoryEnd();
    const stream = new OutputStream(end, {});
    end.breakPipe();
    await expect(stream.flush()).resolves.toBeUndefined();
  });
});
