import { describe, expect, it } from "vitest";
import type { CommandEntry } from "../../src/cli/command.js";
import { commandTable } from "../../src/cli/command-table.js";
import { callIn } from "./support/in-process.js";
import { Workspace } from "./support/treadle.js";
import { GATED, HELLO } from "./support/workflows.js";

const SPEC = `
openapi: 3.0.0
info: { title: Pets, version: "1" }
servers: [{ url: "http://127.0.0.1" }]
paths:
  /pets/{id}:
    get:
      operationId: getPet
      summary: One pet
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": { description: ok } }
`;

/** A call of every command, in an order in which each finds what it needs. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  init: ["new"],
  up: ["hello.tsx", "--run-id", "h1"],
  graph: ["hello.tsx"],
  "workflow list": [],
  "workflow run": ["hello", "--run-id", "h2"],
  "workflow inspect": ["hello"],
  dev: ["nowhere"],
  gateway: ["--config", "nowhere.ts"],
  console: [],
  ps: [],
  inspect: ["h1"],
  why: ["latest"],
  output: ["h1", "greet"],
  node: ["h1", "greet"],
  scores: ["h1"],
  events: ["h1"],
  timeline: ["h1"],
  frame: ["h1", "1"],
  diff: ["h1", "1"],
  logs: ["h1"],
  hijack: ["h1"],
  inbox: [],
  deny: ["g1", "--dry-run"],
  approve: ["g1", "ship", "--yes"],
  "complete-task": ["g1", "payment", "--data", "{}", "--dry-run"],
  "skip-task": ["g1", "payment", "--dry-run"],
  signal: ["g1", "payment"],
  "retry-task": ["h1", "greet", "--dry-run"],
  retry: ["h1", "--dry-run"],
  fork: ["h1", "--frame", "1"],
  replay: ["h1", "--frame", "1"],
  rewind: ["h1", "1", "--yes"],
  supervise: ["--dry-run"],
  worker: ["hello.tsx"],
  workers: [],
  cancel: ["g1"],
  prune: ["--dry-run"],
  "db copy": ["service.db", "copy.db"],
  "db check": ["service.db", "service.db"],
  "db migrate": ["--dry-run"],
  "cron create": ["report", "0 3 * * *", "--id", "nightly"],
  "cron list": [],
  "cron update": ["nightly", "--catch-up", "latest"],
  "cron run": ["nightly"],
  "cron history": ["nightly"],
  "cron delete": ["nightly", "--yes"],
  "memory set": ["k", "v", "--namespace", "user:a"],
  "memory get": ["k", "--namespace", "user:a"],
  "memory list": [],
  "memory threads": [],
  "memory delete": ["k", "--namespace", "user:a", "--yes"],
  "webhooks list": ["hello"],
  "webhooks replay": ["hello", "d-1", "--dry-run"],
  trust: ["."],
  doctor: [],
  "agents list": [],
  "agents doctor": [],
  "agents capabilities": [],
  "openapi list": ["pets.yaml"],
};

/** Calls that are refused, since what they need cannot be had here, and with which code. */
const REFUSED: Readonly<Record<string, string>> = {
  dev: "CLI_USAGE",
  gateway: "WORKFLOW_NOT_FOUND",
  console: "CLI_USAGE",
  hijack: "RUN_NOT_ACTIVE",
  worker: "INVALID_INPUT",
  "webhooks replay": "CLI_USAGE",
  trust: "CLI_USAGE",
};

/** Streams print one document per line. */
const STREAMS = ["events", "logs"];

describe("--json", () => {
  it("is tested for every command there is", async () => {
    expect(Object.keys(CALLS).sort()).toEqual((await commandPaths(commandTable)).sort());
  });

  it("prints one document and nothing else on stdout, whatever the command", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO, "gated.tsx": GATED, "pets.yaml": SPEC });
    await workspace.treadle(["up", "gated.tsx", "--run-id", "g1"]);
    for (const [path, args] of Object.entries(CALLS)) {
      const { stdout } = await workspace.treadle([...path.split(" "), ...args, "--json"]);
      const documents = STREAMS.includes(path) ? stdout.split("\n").slice(0, -1) : [stdout];
      for (const document of documents) {
        expect(() => JSON.parse(document) as unknown, `treadle ${path}:\n${stdout}`).not.toThrow();
        const { error } = JSON.parse(document) as { error?: { code?: string } };
        expect(error?.code, path).toBe(REFUSED[path]);
      }
    }
  });

  it("prints errors in one shape, whatever the command", async () => {
    for (const path of Object.keys(CALLS)) {
      const { code, stdout } = await callIn("/", [...path.split(" "), "--no-such-option", "--json"]);
      expect(code, path).toBe(4);
      expect(JSON.parse(stdout), path).toEqual({
        ok: false,
        error: {
          code: "CLI_USAGE",
          summary: expect.stringContaining("--no-such-option"),
          message: expect.stringContaining("--help"),
          docsUrl: expect.stringContaining("#cli_usage"),
          details: {},
        },
      });
    }
  });

  it("may stand in front of the command", async () => {
    const { stdout } = await new Workspace().treadle(["--json", "agents", "list"]);
    expect(JSON.parse(stdout)).toHaveProperty("agents");
  });
});

async function commandPaths(table: Readonly<Record<string, CommandEntry>>, prefix = ""): Promise<string[]> {
  const paths: string[] = [];
  for (const [name, entry] of Object.entries(table)) {
    const loaded = await entry.load();
    if ("commands" in loaded) paths.push(...(await commandPaths(loaded.commands, `${prefix}${name} `)));
    else paths.push(`${prefix}${name}`);
  }
  return paths;
}
