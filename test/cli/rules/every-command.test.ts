import { describe, expect, it } from "vitest";
import { callIn } from "../support/in-process.js";

interface Described {
  name: string;
  options: { flags: string; description: string }[];
}

interface Manifest {
  options: Described["options"];
  commands: Described[];
}

/** Commands that change nothing that is kept; all others have `--dry-run`. */
const LOOKS = [
  ...[
    "graph",
    "workflow list",
    "workflow inspect",
    "ps",
    "inspect",
    "why",
    "workers",
    "db check",
    "output",
    "node",
    "events",
    "logs",
    "timeline",
    "frame",
    "diff",
  ],
  ...[
    "inbox",
    "cron list",
    "cron history",
    "memory threads",
    "webhooks list",
    "doctor",
    "openapi list",
    "help",
    "gateway",
    "dev",
    "console",
    "completions",
  ],
  ...[
    "agents list",
    "agents doctor",
    "agents capabilities",
    "scores",
    "scores list",
    "memory list",
    "memory get",
    "memory threads",
  ],
].map((name) => `treadle ${name}`);

/** Options whose value is another thing in one command, since it is named after what it configures there. */
const OTHER_VALUES = ["--config"];

async function manifest(): Promise<Manifest> {
  return JSON.parse((await callIn("/", ["--llms", "--json"])).stdout) as Manifest;
}

const longName = (flags: string) => /--[a-z-]+/.exec(flags)?.[0] as string;

describe("every command", () => {
  it("that changes something can be tried with --dry-run", async () => {
    const { commands } = await manifest();
    const missing = commands.filter(
      ({ name, options }) =>
        !LOOKS.includes(name) && !options.some(({ flags }) => longName(flags) === "--dry-run"),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it("takes the same value for an option of the same name", async () => {
    const { commands } = await manifest();
    const values = new Map<string, Set<string>>();
    for (const { flags } of commands.flatMap(({ options }) => options)) {
      const name = longName(flags);
      const value = /[<[].*$/.exec(flags)?.[0] ?? "";
      values.set(name, (values.get(name) ?? new Set()).add(value));
    }
    for (const [name, found] of values) {
      if (!OTHER_VALUES.includes(name)) expect([...found], name).toHaveLength(1);
    }
  });

  it("suggests the option that a mistyped one was meant to be, with exit code 4, whatever the form", async () => {
    const { commands } = await manifest();
    for (const { name } of commands) {
      const path = name.split(" ").slice(1);
      const { code, stdout, stderr } = await callIn("/", [...path, "--jsom"]);
      expect({ name, code, stdout }).toEqual({ name, code: 4, stdout: "" });
      expect(stderr, name).toContain("Did you mean --json?");
    }
    const { stdout } = await callIn("/", ["ps", "--lmit", "3", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: { code: "CLI_USAGE", summary: expect.stringContaining("--limit") },
    });
  });

  it("that lists or streams can be bounded, for readers that count what they read", async () => {
    const { commands } = await manifest();
    for (const name of [
      "ps",
      "inspect",
      "events",
      "timeline",
      "inbox",
      "cancel",
      "retry",
      "prune",
      "cron history",
      "webhooks list",
    ]) {
      const options = commands.find((command) => command.name === `treadle ${name}`)?.options ?? [];
      expect(
        options.map(({ flags }) => longName(flags)),
        name,
      ).toContain("--limit");
    }
    const logs = commands.find(({ name }) => name === "treadle logs");
    expect(logs?.options.map(({ flags }) => longName(flags))).toContain("--tail");
  });

  it("knows where its runs are by the same options and variables", async () => {
    const { options } = await manifest();
    const named = options.map(({ flags }) => longName(flags));
    for (const name of ["--db", "--gateway", "--token", "--json", "--format", "--filter-output"]) {
      expect(named).toContain(name);
    }
    const { stdout } = await callIn("/", ["why", "--help"]);
    for (const name of ["SERVICE_DB", "SERVICE_GATEWAY", "SERVICE_GATEWAY_TOKEN"])
      expect(stdout).toContain(name);
  });
});
