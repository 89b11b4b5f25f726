import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { callIn } from "./support/in-process.js";
import { Workspace } from "./support/treadle.js";
import { HELLO } from "./support/workflows.js";

/** A workspace with one run `h` of the workflow `hello`. */
async function workspaceWithRun() {
  const workspace = new Workspace({ "hello.tsx": HELLO });
  await workspace.treadle(["up", "hello.tsx", "--run-id", "h", "--set", 'name="\u202eAda: #1"']);
  return (...argv: string[]) => callIn(workspace.folder, argv);
}

describe("--format", () => {
  it("writes the same document as JSON, JSON on one line, and YAML", async () => {
    const call = await workspaceWithRun();
    const json = await call("output", "h", "greet", "--json");
    expect(await call("output", "h", "greet", "--format", "json")).toEqual(json);
    const jsonl = await call("output", "h", "greet", "--format", "jsonl");
    expect(jsonl.stdout.split("\n")).toHaveLength(2);
    expect(JSON.parse(jsonl.stdout)).toEqual(JSON.parse(json.stdout));
    const yaml = await call("--format=yaml", "output", "h", "greet");
    expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
    expect(JSON.parse(json.stdout)).toEqual({ text: "hello \u202eAda: #1" });
    // Seen, not obeyed.
    expect(yaml.stdout).not.toContain("\u202e");
  });

  it("table is the text for people", async () => {
    const here = (...argv: string[]) => callIn(process.cwd(), ["agents", "list", ...argv]);
    expect(await here("--format", "table")).toEqual(await here());
  });

  it("writes streams as documents of their own", async () => {
    const call = await workspaceWithRun();
    const lines = (await call("events", "h", "--json")).stdout.trim().split("\n");
    const documents = parseAllDocuments((await call("events", "h", "--format", "yaml")).stdout);
    expect(documents.map((document) => document.toJS() as unknown)).toEqual(
      lines.map((line) => JSON.parse(line) as unknown),
    );
  });

  it("writes errors in the same form", async () => {
    const call = await workspaceWithRun();
    const { stdout, code } = await call("inspect", "nope", "--format", "yaml");
    expect(parse(stdout)).toMatchObject({ ok: false, error: { code: "RUN_NOT_FOUND" } });
    expect(code).toBe(4);
  });

  it.each([
    [["--json", "--format", "yaml"], "exclude each other"],
    [["--format", "png"], "expected one of table, json, jsonl, yaml"],
    [["--format", "table", "--filter-output", "runs"], "table is none"],
    [["--format", "yaml", "--raw"], "--raw is for text"],
    [["--llms"], "--llms stands alone"],
  ])("%j of ps is refused, nothing is left out in silence", async (options, text) => {
    const { code, stdout, stderr } = await (await workspaceWithRun())("ps", ...options);
    expect(code).toBe(4);
    expect(stdout + stderr).toContain(text);
  });
});

describe("--filter-output", () => {
  it("keeps what the paths lead to, through lists", async () => {
    const call = await workspaceWithRun();
    const { stdout, stderr } = await call("ps", "--filter-output", "runs.runId,runs.nodes.finished");
    expect(JSON.parse(stdout)).toEqual({ runs: [{ runId: "h", nodes: { finished: 1 } }] });
    expect(stderr).toBe("");
  });

  it("applies to each document of a stream", async () => {
    const call = await workspaceWithRun();
    const { stdout } = await call("events", "h", "--filter-output", "seq", "--limit", "2");
    expect(stdout).toBe('{"seq":0}\n{"seq":1}\n');
  });

  it("says what is not there, and what is", async () => {
    const call = await workspaceWithRun();
    const { code, stdout, stderr } = await call("ps", "--filter-output", "runs.runID,nextCursor");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ runs: [{}], nextCursor: null });
    expect(stderr).toMatch(/there is no runs\.runID in it; there is .*runId/);
  });

  it("leaves an error whole", async () => {
    const call = await workspaceWithRun();
    const { stdout } = await call("inspect", "nope", "--filter-output", "run");
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: "RUN_NOT_FOUND" } });
  });
});

describe("what explains itself", () => {
  const call = (...argv: string[]) => callIn(process.cwd(), argv);

  it.each([[["ps", "--help", "--json"]], [["--json", "help", "ps"]]])("is one document: %j", async (argv) => {
    const { code, stdout } = await call(...argv);
    expect(code).toBe(0);
    const { name, options, examples } = JSON.parse(stdout) as Record<string, { flags?: string }[]>;
    expect(name).toBe("treadle ps");
    expect(options?.map(({ flags }) => flags)).toContain("-s, --status <list>");
    expect(examples?.length).toBeGreaterThan(1);
  });

  it("of nothing is the list of commands", async () => {
    for (const argv of [["--json"], ["--help", "--json"]]) {
      const { stdout, code } = await call(...argv);
      expect(code).toBe(0);
      expect(
        (JSON.parse(stdout) as { commands: { name: string }[] }).commands.map(({ name }) => name),
      ).toContain("up");
    }
  });

  it("says its version as data", async () => {
    const { stdout } = await call("--version", "--json");
    const { version } = JSON.parse(stdout) as { version: string };
    expect(JSON.parse(stdout)).toEqual({ name: "treadle", version, node: process.version });
    expect((await call("--version")).stdout).toBe(`${version}\n`);
  });

  it("is a manual of every command with --llms, as text and as data", async () => {
    const { commands, exitCodes } = JSON.parse((await call("--llms", "--json")).stdout) as {
      commands: { name: string; options: unknown[]; examples: unknown[] }[];
      exitCodes: Record<string, number>;
    };
    expect(exitCodes).toMatchObject({ ok: 0, waiting: 3, SIGINT: 130 });
    const names = commands.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["treadle up", "treadle agents doctor", "treadle help"]));
    const { stdout } = await call("--llms");
    for (const name of names) expect(stdout).toContain(`## ${name} `);
  });
});
