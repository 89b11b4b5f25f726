import { describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.js";
import { runCommandLine } from "../../src/cli/program.js";
import { errorHelp } from "../../src/cli/help/help-command.js";
import { errorFamilies } from "../../src/errors/codes.js";
import { memoryTerminal } from "./support/terminal.js";

async function call(...argv: string[]) {
  const terminal = memoryTerminal();
  const code = await runCommandLine(argv, terminal);
  return { code, stdout: terminal.outEnd.text, stderr: terminal.errEnd.text };
}

const groups = ["agents", "cron", "db", "memory", "openapi", "webhooks", "workflow"];
const leaves = [
  ...Object.keys(commandTable).filter((name) => !groups.includes(name)),
  "agents list",
  "agents doctor",
  "agents capabilities",
  "openapi list",
  ...["copy", "check", "migrate"].map((name) => `db ${name}`),
  ...["list", "run", "inspect"].map((name) => `workflow ${name}`),
  ...["list", "create", "update", "delete", "run", "history"].map((name) => `cron ${name}`),
  ...["list", "get", "set", "delete", "threads"].map((name) => `memory ${name}`),
  ...["list", "replay"].map((name) => `webhooks ${name}`),
  "help",
];

describe("help", () => {
  it.each(leaves)("of %s shows two or three examples that call it", async (path) => {
    const { code, stdout } = await call(...path.split(" "), "--help");
    expect(code).toBe(0);
    const examples = stdout.split("\n").filter((line) => line.startsWith("  $ "));
    expect(examples.length, stdout).toBeGreaterThanOrEqual(2);
    expect(examples.length, stdout).toBeLessThanOrEqual(3);
    for (const example of examples) expect(example).toContain(`treadle ${path}`);
  });

  it("names the environment variable of the database and the defaults of options", async () => {
    expect((await call("ps", "--help")).stdout).toMatch(/SERVICE_DB/);
    expect((await call("ps", "--help")).stdout).toMatch(/\(default: 20\)/);
    expect((await call("up", "--help")).stdout).toMatch(/\(default: 4\)/);
  });

  it("of up lists the exit codes", async () => {
    const { stdout } = await call("help", "up");
    for (const code of ["0 finished", "1 failed", "2 cancelled", "3 waiting", "4 wrong call", "130", "143"]) {
      expect(stdout).toContain(code);
    }
  });

  it("lists every command when nothing is asked for", async () => {
    const { code, stdout, stderr } = await call();
    expect(code).toBe(0);
    expect(stderr).toBe("");
    for (const name of Object.keys(commandTable)) expect(stdout).toMatch(new RegExp(`^ +${name} `, "m"));
  });

  it("of a command is the same by help and by --help", async () => {
    expect((await call("help", "events")).stdout.trim()).toBe((await call("events", "--help")).stdout.trim());
    expect((await call("help", "agents", "doctor")).stdout.trim()).toBe(
      (await call("agents", "doctor", "--help")).stdout.trim(),
    );
  });

  it("is data with --json", async () => {
    const { stdout } = await call("help", "ps", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ name: "treadle ps", options: expect.any(Array) });
  });

  it("refuses topics that do not exist", async () => {
    expect(await call("help", "nothing")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("nothing"),
    });
  });
});

describe("help errors", () => {
  it("explains a code: when, what next, whether it is tried again", async () => {
    const { stdout } = await call("help", "errors", "run_not_found");
    expect(stdout).toContain("RUN_NOT_FOUND");
    expect(stdout).toContain(errorFamilies.Runs.RUN_NOT_FOUND.when);
    expect(stdout).toContain(errorFamilies.Runs.RUN_NOT_FOUND.next);
  });

  it("explains every code: when it is raised, and what to do next", async () => {
    for (const code of Object.values(errorFamilies).flatMap((codes) => Object.keys(codes))) {
      const { json } = errorHelp(code) as { json: Record<string, string> };
      expect(json).toMatchObject({ code, docsUrl: expect.stringContaining(`#${code.toLowerCase()}`) });
      expect(`${json["when"]}`.length, code).toBeGreaterThan(10);
      expect(`${json["next"]}`, code).toMatch(/\.$/);
    }
  });

  it("lists every code", async () => {
    const { stdout } = await call("help", "errors", "--json");
    const { families } = JSON.parse(stdout) as { families: { codes: { code: string }[] }[] };
    const listed = families.flatMap(({ codes }) => codes.map(({ code }) => code));
    expect(listed).toEqual(Object.values(errorFamilies).flatMap(Object.keys));
  });

  it("refuses a code that does not exist", async () => {
    expect(await call("help", "errors", "NOPE")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("NOPE"),
    });
  });
});

describe("a wrong call", () => {
  it.each([
    [["psx"], "Did you mean ps?"],
    [["ps", "--limt", "3"], "Did you mean --limit?"],
    [["flow.tsx"], "Did you mean treadle up flow.tsx?"],
    [["inspect"], "missing required argument 'run'"],
    [["inspect", "a", "b"], "too many arguments for 'inspect'. Expected 1 argument but got 2.\n"],
    [["agents"], "needs one of its commands"],
    [["graph", "a.tsx", "--format", "png"], "expected one of xml, mermaid, dot, json, jsonl, yaml"],
  ])("%j is told in words, with exit code 4 and nothing on stdout", async (argv, text) => {
    const { code, stdout, stderr } = await call(...argv);
    expect(code).toBe(4);
    expect(stdout).toBe("");
    expect(stderr.toLowerCase()).toContain(text.toLowerCase());
    expect(stderr).toContain("CLI_USAGE");
  });
});
