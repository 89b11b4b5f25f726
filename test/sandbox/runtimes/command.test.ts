import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BubblewrapRuntime } from "../../../src/sandbox/runtimes/bubblewrap.js";
import { canSandbox } from "../../support/can-sandbox.js";
import { sandboxRequest } from "../../support/sandbox-request.js";

async function ran(command: readonly string[], input: Record<string, unknown> = {}) {
  const made = sandboxRequest({ notes: "-old\n" }, { command, input });
  return { ...made, result: await new BubblewrapRuntime().run(made.request) };
}

const shell = (line: string) => ["/bin/sh", "-c", line];

describe.runIf(canSandbox)("a command in the place of a workflow", () => {
  it("works on the copy of the files, reads the input as JSON, and a JSON object that it prints is the row", async () => {
    const { result, copy, root } = await ran(shell(`echo new >notes; echo said >&2; cat`), { text: "a" });
    expect(result).toEqual({ status: "finished", output: { text: "a" } });
    expect([copy, root].map((each) => readFileSync(join(each, "notes"), "utf8"))).toEqual(["new\n", "old\n"]);
  });

  it.each([
    ["text", "echo done; echo said >&2", { stdout: "done\n", stderr: "said\n", exitCode: 0 }],
    ["nothing", "true", { stdout: "", stderr: "", exitCode: 0 }],
    ["what only begins like JSON", "echo '{no'", { stdout: "{no\n", stderr: "", exitCode: 0 }],
    ["a list", "echo '[1]'", { stdout: "[1]\n", stderr: "", exitCode: 0 }],
  ])("gives %s as it was printed", async (_, line, output) => {
    expect((await ran(shell(line))).result).toEqual({ status: "finished", output });
  });

  it("is given its arguments as they are, by no shell", async () => {
    const { result } = await ran(["printf", "%s,", "$HOME", "a b", "*"]);
    expect(result).toMatchObject({ output: { stdout: "$HOME,a b,*," } });
  });

  it("gives the beginning of a long text", async () => {
    const { result } = await ran(shell("head -c 20000000 /dev/zero | tr '\\0' x"));
    const { stdout } = (result as { output: { stdout: string } }).output;
    expect(stdout.length).toBeLessThanOrEqual(60_000);
    expect(stdout).toMatch(/^x+\n\[output truncated/);
  });

  it.each<[string, readonly string[], RegExp, false | undefined]>([
    ["an exit code", shell("echo why >&2; exit 3"), /ended with exit code 3\. It printed:\nwhy\n/, undefined],
    ["a signal", shell("kill -9 $$"), /ended by SIGKILL/, undefined],
    [
      "a program that is not there",
      ["no-such-program"],
      /"no-such-program" cannot be started inside \(ENOENT\)/,
      false,
    ],
    [
      "an object that is too long",
      shell(`printf '{"a":"'; head -c 6000000 /dev/zero | tr '\\0' x; printf '"}'`),
      /an object of more than 5242880 bytes/,
      false,
    ],
  ])("fails by %s", async (_, command, error, retryable) => {
    const { result } = await ran(command);
    expect(result).toMatchObject({ status: "failed", error: expect.stringMatching(error) as string });
    expect((result as { retryable?: boolean }).retryable).toBe(retryable);
  });

  it("leaves nothing running", async () => {
    const { result } = await ran(shell("sleep 1000 & echo gone"));
    expect(result).toMatchObject({ output: { stdout: "gone\n" } });
  });
});
