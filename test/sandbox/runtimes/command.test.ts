import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BubblewrapRuntime } from "../../../src/sandbox/runtimes/bubblewrap.js";
import { runInsideCommand } from "../../../src/sandbox/runtimes/inside-command.js";
import { canSandbox } from "../../support/can-sandbox.js";
import { sandboxRequest } from "../../support/sandbox-request.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const shell = (line: string) => ["/bin/sh", "-c", line];

describe.runIf(canSandbox)("a command in the place of a workflow", () => {
  async function ran(line: string, input: Record<string, unknown> = {}) {
    const made = sandboxRequest({ notes: "-old\n" }, { command: shell(line), input });
    return { ...made, result: await new BubblewrapRuntime().run(made.request) };
  }

  it("works on the copy of the files, reads the input as JSON, and a JSON object that it prints is the row", async () => {
    const { result, copy, root } = await ran(`echo new >notes; echo said >&2; sleep 1000 & cat`, {
      text: "a",
    });
    expect(result).toEqual({ status: "finished", output: { text: "a" } });
    expect([copy, root].map((each) => readFileSync(join(each, "notes"), "utf8"))).toEqual(["new\n", "old\n"]);
  });

  it("gives the beginning of a long text", async () => {
    const { result } = await ran("head -c 20000000 /dev/zero | tr '\\0' x");
    const { stdout } = (result as { output: { stdout: string } }).output;
    expect(stdout.length).toBeLessThanOrEqual(60_000);
    expect(stdout).toMatch(/^x+\n\[output truncated/);
  });

  it("fails by an object that is too long", async () => {
    const { result } = await ran(`printf '{"a":"'; head -c 6000000 /dev/zero | tr '\\0' x; printf '"}'`);
    expect(result).toMatchObject({
      ...{ status: "failed", retryable: false },
      error: expect.stringContaining("an object of more than 5242880 bytes") as string,
    });
  });
});

describe("a command that runs inside", () => {
  const ran = (command: readonly string[]) =>
    runInsideCommand(command, { cwd: temporaryFolder(), input: "{}", onAlive: () => undefined });

  it.each([
    ["text", "echo done; echo said >&2", { stdout: "done\n", stderr: "said\n", exitCode: 0 }],
    ["nothing", "true", { stdout: "", stderr: "", exitCode: 0 }],
    ["what only begins like JSON", "echo '{no'", { stdout: "{no\n", stderr: "", exitCode: 0 }],
    ["a list", "echo '[1]'", { stdout: "[1]\n", stderr: "", exitCode: 0 }],
  ])("gives %s as it was printed", async (_, line, output) => {
    expect(await ran(shell(line))).toEqual({ status: "finished", output });
  });

  it("is given its arguments as they are, by no shell", async () => {
    expect(await ran(["printf", "%s,", "$HOME", "a b", "*"])).toMatchObject({
      output: { stdout: "$HOME,a b,*," },
    });
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
  ])("fails by %s", async (_, command, error, retryable) => {
    const result = await ran(command);
    expect(result).toMatchObject({ status: "failed", error: expect.stringMatching(error) as string });
    expect(result.retryable).toBe(retryable);
  });
});
