import { realpath } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createTools, type ToolContextOptions } from "../../src/tools/index.js";
import { openNetwork } from "./support/isolation.js";
import { workspace } from "./support/workspace.js";

async function shell(options: ToolContextOptions = {}, files: Record<string, string> = {}) {
  const rootDir = await workspace(files);
  const { bash } = createTools({ rootDir, ...openNetwork, ...options });
  return { rootDir, run: bash.execute };
}

describe("bash", () => {
  it("runs a shell line in the root folder and returns what it prints", async () => {
    const { run, rootDir } = await shell();
    expect(await run({ cmd: "pwd && echo $((6 * 7)) | tr 4 5" })).toBe(`${rootDir}\n52\n`);
  });

  it("returns both output streams in the order of writing", async () => {
    const { run } = await shell();
    expect(await run({ cmd: "echo 1; echo 2 >&2; echo 3; echo 4 >&2" })).toBe("1\n2\n3\n4\n");
  });

  it("runs a program with arguments that no shell looks at", async () => {
    const { run } = await shell();
    const args = ["%s\n", "$HOME; `id` *", "two words", ""];
    expect(await run({ cmd: "printf", args })).toBe("$HOME; `id` *\ntwo words\n\n");
  });

  it("takes no builtin of a shell for a program, which would make shell text of its arguments", async () => {
    const { run } = await shell();
    for (const cmd of ["eval", "trap", "alias"]) {
      await expect(run({ cmd, args: ["touch ran; echo ran"] })).rejects.toMatchObject({
        code: "TOOL_COMMAND_FAILED",
        details: { exitCode: 127 },
      });
    }
    await expect(run({ cmd: "-c", args: ["touch ran"] })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(await run({ cmd: "ls" })).toBe("");
  });

  it("runs in another folder of the root", async () => {
    const { run, rootDir } = await shell({}, { "a/b/f.txt": "" });
    expect(await run({ cmd: "pwd", opts: { cwd: "a/b" } })).toBe(`${await realpath(rootDir)}/a/b\n`);
    await expect(run({ cmd: "pwd", opts: { cwd: "a/b/f.txt" } })).rejects.toMatchObject({
      code: "TOOL_PATH_INVALID",
    });
    await expect(run({ cmd: "pwd", opts: { cwd: ".." } })).rejects.toMatchObject({
      code: "TOOL_PATH_ESCAPE",
    });
  });

  it("has nothing to read on its input", async () => {
    const { run } = await shell();
    expect(await run({ cmd: "cat; echo done" })).toBe("done\n");
  });

  it("tells exit code and output of a command that fails", async () => {
    const { run } = await shell();
    const error = await run({ cmd: "echo 'disk full' >&2; exit 3" }).catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: "TOOL_COMMAND_FAILED",
      details: { cmd: "echo 'disk full' >&2; exit 3", args: [], exitCode: 3, output: "disk full\n" },
    });
    expect(error.message).toContain("ended with exit code 3. It printed:\ndisk full\n");
  });

  it("tells the signal that ended a command", async () => {
    const { run } = await shell({ allowNetwork: true, toolIsolation: "none" });
    await expect(run({ cmd: "kill -SEGV $$" })).rejects.toMatchObject({
      code: "TOOL_COMMAND_FAILED",
      details: { exitCode: null, killedBy: "SIGSEGV" },
    });
  });

  it("says which program is missing", async () => {
    const { run } = await shell();
    await expect(run({ cmd: "no-such-program", args: ["x"] })).rejects.toMatchObject({
      code: "TOOL_COMMAND_FAILED",
      message: expect.stringContaining("no-such-program: not found"),
      details: { exitCode: 127 },
    });
  });

  it("refuses input of the wrong form with the field that is wrong", async () => {
    const { run } = await shell();
    const invalid = { code: "INVALID_INPUT", message: expect.stringContaining("cmd") };
    await expect(run({ cmd: "" })).rejects.toMatchObject(invalid);
    await expect(run({ cmd: 7 as unknown as string })).rejects.toMatchObject(invalid);
    await expect(run({ cmd: "x".repeat(100_001) })).rejects.toMatchObject(invalid);
    await expect(run({ cmd: "a\0b" })).rejects.toMatchObject({ code: "PROCESS_SPAWN_FAILED" });
  });
});

describe("the output of bash", () => {
  it("is complete at the limit and cut above it, by whole characters", async () => {
    const { run } = await shell({ maxOutputBytes: 1_000 });
    expect(await run({ cmd: "head -c 1000 /dev/zero | tr '\\0' x" })).toBe("x".repeat(1_000));
    const cut = await run({ cmd: "for i in $(seq 400); do printf 'ä€🎈'; done" });
    expect(cut).toMatch(/^(ä€🎈)+(ä€?)?\n\[output truncated: the limit is 1000 bytes\]$/);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(1_000);
  });

  it("is read to its end however much of it is dropped", async () => {
    const { run } = await shell({ maxOutputBytes: 1_000 });
    const output = await run({ cmd: "yes | head -c 20000000; echo the end > end.txt" });
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(1_000);
    expect(await run({ cmd: "cat end.txt" })).toBe("the end\n");
  });

  it("is cut to the limit in errors too", async () => {
    const { run } = await shell({ maxOutputBytes: 1_000 });
    const error = await run({ cmd: "yes | head -c 20000; exit 1" }).catch((thrown) => thrown);
    expect(error.details.output).toContain("[output truncated: the limit is 1000 bytes]");
    expect(Buffer.byteLength(error.message)).toBeLessThanOrEqual(1_500);
  });

  it("may be binary", async () => {
    const { run } = await shell();
    expect(await run({ cmd: "printf 'a\\377b'" })).toBe("a\uFFFDb");
  });
});

describe("the environment of bash", () => {
  it("holds nothing of the engine but what programs need, and what was given", async () => {
    process.env["ENGINE_API_KEY"] = "planted-secret";
    try {
      const { run } = await shell({ env: { FOR_THE_TASK: "given" } });
      const names = (await run({ cmd: "env" }))
        .split("\n")
        .map((line) => line.split("=")[0] as string)
        .filter(Boolean);
      expect(names).toContain("PATH");
      expect(names).toContain("FOR_THE_TASK");
      expect(names).not.toContain("ENGINE_API_KEY");
      const known =
        /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|TZ|TMPDIR|NVM_DIR|JAVA_HOME|PWD|OLDPWD|SHLVL|_|GIT_TERMINAL_PROMPT|TREADLE_CALL|FOR_THE_TASK)$/;
      expect(names.filter((name) => !known.test(name))).toEqual([]);
    } finally {
      delete process.env["ENGINE_API_KEY"];
    }
  });
});
