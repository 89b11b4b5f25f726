import { describe, expect, it, onTestFinished } from "vitest";
import { captureConsole } from "../../../src/cli/output/console-capture.js";

function capture() {
  const printed: string[] = [];
  const release = captureConsole((text) => printed.push(text));
  onTestFinished(release);
  return { printed, release };
}

describe("what others write to the console", () => {
  it("goes to the command line, from either stream, as text or bytes", () => {
    const { printed } = capture();
    process.stdout.write("text\n");
    process.stderr.write(Buffer.from("größe\n"));
    expect(printed).toEqual(["text\n", "größe\n"]);
  });

  it("tells the writer that it has arrived", async () => {
    capture();
    await expect(
      new Promise<void>((resolve) => process.stdout.write("x", () => resolve())),
    ).resolves.toBeUndefined();
  });

  it("goes to its stream again afterwards", () => {
    const original = process.stdout.write;
    const { release } = capture();
    expect(process.stdout.write).not.toBe(original);
    release();
    expect(process.stdout.write).toBe(original);
  });

  it("comes to the innermost of two captures", () => {
    const outer = capture();
    const inner = capture();
    process.stdout.write("a");
    inner.release();
    process.stdout.write("b");
    expect(inner.printed).toEqual(["a"]);
    expect(outer.printed).toEqual(["b"]);
  });
});
