import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runWorkflow } from "../../../src/index.js";
import { SCRIPTS, type Shell } from "../../../src/cli/completions/scripts.js";
import { CLI_MAIN } from "../support/treadle.js";
import { waitingWorkflow } from "./support/waiting-workflow.js";

let folder: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "treadle-shells-")));
  await runWorkflow(waitingWorkflow(join(folder, "service.db")), { runId: "parent:child:0", input: {} });
  writeFileSync(join(folder, "treadle"), `#!/bin/sh\nexec '${process.execPath}' '${CLI_MAIN}' "$@"\n`);
  chmodSync(join(folder, "treadle"), 0o755);
  for (const shell of Object.keys(SCRIPTS) as Shell[]) writeFileSync(join(folder, shell), SCRIPTS[shell]);
  return () => rmSync(folder, { recursive: true, force: true });
});

const inShell = (shell: string, args: readonly string[]) =>
  spawnSync(shell, args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` },
  });

const isInstalled = (shell: string) => spawnSync(shell, ["-c", "true"]).error === undefined;

describe("in bash", () => {
  /** What TAB offers for the last of the words, which are split as bash splits them. */
  function offered(...words: string[]): string[] {
    const script = `source ./bash
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      compopt() { echo "compopt $*"; }
      _treadle
      ((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = inShell("bash", ["--norc", "-c", script, "bash", "treadle", ...words]);
    expect(stderr).toBe("");
    return stdout.split("\n").filter((line) => line !== "");
  }

  it("commands, options and values are offered, and files where a file is asked for", () => {
    expect(offered("appr")).toEqual(["approve"]);
    expect(offered("up", "--res")).toEqual(["--resume"]);
    expect(offered("up", "")).toEqual(["compopt -o default"]);
  });

  it("words with : and =, which bash takes apart, are completed behind them", () => {
    expect(offered("ps", "--format", "=", "ya")).toEqual(["yaml"]);
    expect(offered("ps", "--format", "=")).toEqual(["table", "json", "jsonl", "yaml"]);
    expect(offered("why", "parent", ":", "ch")).toEqual(["child:0"]);
    expect(offered("node", "parent", ":", "child", ":", "0", "s")).toEqual(["'ship it; now'"]);
  });

  it("nothing is offered, and nothing printed, where nothing fits", () => {
    expect(offered("nope", "")).toEqual([]);
  });

  it("the script is registered for treadle", () => {
    const { stdout } = inShell("bash", [
      "--norc",
      "-c",
      'eval "$(treadle completions bash)"; complete -p treadle',
    ]);
    expect(stdout.trim()).toBe("complete -F _treadle treadle");
  });
});

it.runIf(isInstalled("zsh"))("zsh can read its script", () => {
  const { status, stderr } = inShell("zsh", ["-n", "./zsh"]);
  expect([status, stderr]).toEqual([0, ""]);
});

it.runIf(isInstalled("fish"))("fish offers what the command says", () => {
  const { stdout } = inShell("fish", ["--no-config", "-c", "source ./fish; complete -C 'treadle why par'"]);
  expect(stdout).toContain("parent:child:0\twaiting waiting-approval");
});
