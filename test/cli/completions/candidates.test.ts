import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runWorkflow } from "../../../src/index.js";
import { commandTable } from "../../../src/cli/command-table.js";
import { errorFamilies } from "../../../src/errors/codes.js";
import { callIn } from "../support/in-process.js";
import { waitingWorkflow } from "./support/waiting-workflow.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

let folder: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "treadle-completions-")));
  const workflow = waitingWorkflow(join(folder, "service.db"));
  for (const runId of ["release-1", "release-2"]) {
    await runWorkflow(workflow, { runId, input: {} });
  }
  return () => rmSync(folder, { recursive: true, force: true });
});

/** Candidates for the last word, as zsh and fish get them. */
async function lines(words: readonly string[], { cwd = folder, shell = "zsh" } = {}): Promise<string[]> {
  const { code, stdout, stderr } = await callIn(cwd, ["completions", shell, "--", ...words]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout === "" ? [] : stdout.trimEnd().split("\n");
}

const completed = async (...typed: string[]) => (await lines(typed)).map((line) => line.split("\t")[0]);

describe("a line that is being typed", () => {
  it("begins with a command, of which all are offered with what they do", async () => {
    const all = await lines([""]);
    for (const [name, { summary }] of Object.entries(commandTable)) {
      expect(all).toContain(`${name}\t${summary}`);
    }
    expect(await completed("app")).toEqual(["approve"]);
    expect(await completed("cron", "")).toEqual(["list", "create", "update", "delete", "run", "history"]);
  });

  it("continues with options of its command and of all commands, each once unless it may be repeated", async () => {
    const names = await completed("up", "--force", "--set", "a=1", "--");
    expect(names).toEqual(expect.arrayContaining(["--resume", "--set", "--json", "--db", "--help"]));
    expect(names).not.toContain("--force");
    expect(names).not.toContain("--version");
    expect(await completed("up", "--no-w")).toEqual(["--no-wait"]);
  });

  it.each([
    [
      ["init", "--template", ""],
      ["hello", "agent", "approval", "cron", "gateway", "webhook", "page", "package"],
    ],
    [["init", "--template=ag"], ["--template=agent"]],
    [
      ["cron", "create", "w", "* * * * *", "--overlap", ""],
      ["skip", "queue", "allow"],
    ],
    [["graph", "--format", "m"], ["mermaid"]],
    [
      ["ps", "--format", "j"],
      ["json", "jsonl"],
    ],
    [
      ["prune", "--status", "finished,c"],
      ["finished,cancelled", "finished,continued"],
    ],
    [["events", "r", "--type", "RunFin"], ["RunFinished"]],
    [
      ["completions", ""],
      ["bash", "fish", "zsh"],
    ],
  ])("has the values of an option or argument that takes only some: %j", async (words, values) => {
    expect((await completed(...words)).toSorted()).toEqual(values.toSorted());
  });

  it("has error codes and commands to explain", async () => {
    expect(await completed("help", "errors", "")).toEqual(
      Object.values(errorFamilies).flatMap((codes) => Object.keys(codes)),
    );
    expect(await completed("help", "err")).toEqual(["errors"]);
    expect(await completed("help", "cro")).toEqual(["cron"]);
  });

  it("has the runs of the workspace, wherever a run is asked for", async () => {
    expect(await lines(["approve", "release-1"])).toEqual(["release-1\twaiting waiting-approval"]);
    for (const words of [["why"], ["up", "--resume"], ["cancel"], ["logs"]]) {
      expect(await completed(...words, "")).toEqual(
        expect.arrayContaining(["release-1", "release-2", "latest"]),
      );
    }
    expect(await completed("up", "--resume", "--forc")).toEqual(["--force"]);
  });

  it("has the nodes of the run that was named", async () => {
    expect(await lines(["approve", "release-2", ""])).toEqual([
      "build\tfinished",
      "ship it; now\twaiting-approval",
    ]);
    expect(await completed("logs", "latest", "--node", "b")).toEqual(["build"]);
    expect(await completed("logs", "--node", "")).toEqual([]);
  });

  it("asks the database that it names", async () => {
    const elsewhere = { cwd: tmpdir() };
    const db = join(folder, "service.db");
    expect(await lines(["--db", db, "why", "release-2"], elsewhere)).toHaveLength(1);
    expect(await lines(["why", `--db=${db}`, "release-2"], elsewhere)).toHaveLength(1);
  });

  it("has the workflows of the workspace by their names, and files where none fits", async () => {
    mkdirSync(join(folder, ".service/workflows"), { recursive: true });
    writeFileSync(join(folder, ".service/workflows/deploy.tsx"), "");
    for (const command of ["up", "graph"]) {
      expect(await completed(command, "")).toEqual(["deploy"]);
      expect(await completed(command, "src/")).toEqual([":files"]);
    }
  });

  it("leaves files to the shell", async () => {
    for (const words of [["ps", "--db"], ["gateway", "--config"], ["init"]]) {
      expect(await lines([...words, ""])).toEqual([":files"]);
    }
  });

  it("is quoted for bash, which takes a candidate as it stands", async () => {
    expect(await lines(["node", "release-1", "s"], { shell: "bash" })).toEqual(["'ship it; now'"]);
  });
});

describe("nothing is said", () => {
  it.each([[["nope", ""]], [["why", "x", "y", ""]], [["inspect", "--gateway", ""]]])(
    "of a line that does not parse: %j",
    async (words) => {
      expect((await lines(words)).filter((line) => line !== ":files")).toEqual([]);
    },
  );

  it("where there is no database, or one that cannot be read, which stays as it is", async () => {
    const empty = temporaryFolder("completions");
    expect(await lines(["why", ""], { cwd: empty })).toEqual([]);
    const file = join(empty, "service.db");
    writeFileSync(file, "no database");
    expect(await lines(["why", ""], { cwd: empty })).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe("no database");
    expect(statSync(file).size).toBe(11);
  });
});

it("the script of a shell is one document for a program", async () => {
  const { stdout } = await callIn(folder, ["completions", "fish", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    shell: "fish",
    script: expect.stringContaining("complete -c treadle"),
  });
});
