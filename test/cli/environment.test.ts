import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AGENT_ENGINES } from "../../src/model/agent.js";
import { Workspace } from "./support/treadle.js";
import { GATED, HELLO } from "./support/workflows.js";

interface Doctor {
  ok: boolean;
  checks: { name: string; status: string; message: string }[];
  agents: { engine: string; isInstalled: boolean }[];
}

describe("doctor", () => {
  it("checks Node, compiler, database, workspace, git and port", async () => {
    const workspace = new Workspace({ "hello.tsx": HELLO });
    await workspace.treadle(["up", "hello.tsx"]);
    const { code, document } = await workspace.json<Doctor>(["doctor"]);
    expect(code).toBe(0);
    expect(document.ok).toBe(true);
    const names = document.checks.map(({ name }) => name);
    expect(names).toEqual(["treadle", "node", "compiler", "database", "workspace", "git", "port"]);
    expect(document.agents.map(({ engine }) => engine)).toEqual([...AGENT_ENGINES]);
  });

  it("finds a database that is none, says which, and exits with 1", async () => {
    const workspace = new Workspace();
    writeFileSync(workspace.path("service.db"), "this is no database at all, only text".repeat(100));
    const { code, document } = await workspace.json<Doctor>(["doctor"]);
    expect(code).toBe(1);
    expect(document.checks.find(({ name }) => name === "database")).toMatchObject({ status: "failed" });
  });
});

describe("agents", () => {
  it("are listed with the classes to import", async () => {
    const { document } = await new Workspace().json<{ agents: { engine: string; alias: string }[] }>([
      "agents",
      "list",
    ]);
    expect(document.agents[0]).toEqual({
      engine: "claude-code",
      className: "ClaudeCodeAgent",
      alias: "CliAgent1",
      deprecated: false,
    });
    expect(document.agents).toHaveLength(10);
  });

  it("that are installed are asked for their version; one that was named and is missing fails", async () => {
    const workspace = new Workspace({ "bin/codex": "#!/bin/sh\necho codex-cli 0.99.1\n" });
    const { chmodSync } = await import("node:fs");
    chmodSync(workspace.path("bin/codex"), 0o755);
    const env = { PATH: `${workspace.path("bin")}:/usr/bin:/bin` };
    const one = await workspace.json(["agents", "doctor", "codex"], { env });
    expect(one.document).toMatchObject({
      agents: [{ engine: "codex", isInstalled: true, version: "0.99.1" }],
    });
    const missing = await workspace.json(["agents", "doctor", "vibe"], { env });
    expect(missing).toMatchObject({ code: 1, document: { ok: false, agents: [{ isInstalled: false }] } });
  });

  it("that do not exist are refused with those that do", async () => {
    const { document } = await new Workspace().json(["agents", "capabilities", "nobody"]);
    expect(document).toMatchObject({
      error: { code: "CLI_AGENT_UNSUPPORTED", details: { supported: AGENT_ENGINES } },
    });
  });

  it("have capabilities with a fingerprint", async () => {
    const { document } = await new Workspace().json(["agents", "capabilities", "codex"]);
    expect(document).toMatchObject({
      agents: [{ engine: "codex", version: 1, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
  });
});

describe("openapi list", () => {
  const spec = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths: {
      "/pets": { get: { summary: "All pets", responses: {} } },
      "/pets/{id}": { get: { operationId: "get pet!", responses: {} } },
    },
  };

  it("shows original ids and the names of the tools", async () => {
    const workspace = new Workspace({ "pets.json": JSON.stringify(spec) });
    const { document } = await workspace.json<{ operations: { operationId: string; toolName: string }[] }>([
      "openapi",
      "list",
      "pets.json",
      "--name-prefix",
      "pets_",
    ]);
    expect(document.operations).toHaveLength(2);
    for (const { toolName } of document.operations) expect(toolName).toMatch(/^pets_[a-zA-Z0-9_-]{1,59}$/);
    expect(document.operations[1]?.operationId).toBe("get pet!");
  });

  it("says what is wrong with a document", async () => {
    const workspace = new Workspace({ "old.json": '{"swagger":"2.0"}' });
    const { code, document } = await workspace.json(["openapi", "list", "old.json"]);
    expect(code).toBe(4);
    expect(document).toMatchObject({ error: { code: "OPENAPI_SPEC_LOAD_FAILED" } });
  });
});

describe("graph", () => {
  it("shows the first frame as XML, as a flowchart, and as data without anything that is not data", async () => {
    const workspace = new Workspace({ "w.tsx": GATED });
    expect((await workspace.treadle(["graph", "w.tsx"])).stdout).toContain('<Approval id="ship"');
    expect((await workspace.treadle(["graph", "w.tsx", "--format", "mermaid"])).stdout).toMatch(
      /^flowchart TD\n/,
    );
    const { document } = await workspace.json<{ tasks: Record<string, unknown>[] }>(["graph", "w.tsx"]);
    expect(document.tasks.map(({ nodeId }) => nodeId)).toEqual(["ship", "payment", "total"]);
    for (const task of document.tasks) {
      expect(Object.keys(task)).not.toEqual(expect.arrayContaining(["outputTable"]));
      expect(task).not.toHaveProperty("outputSchema");
    }
  });

  it("renders with the input that is given, and creates no database", async () => {
    const text = HELLO.replace('<Task id="greet"', '<Task id={"greet-" + ctx.input.name}');
    const workspace = new Workspace({ "w.tsx": text });
    const { stdout } = await workspace.treadle(["graph", "w.tsx", "--set", "name=ada"]);
    expect(stdout).toContain('id="greet-ada"');
    const { existsSync } = await import("node:fs");
    expect(existsSync(workspace.path("service.db"))).toBe(false);
  });
});
