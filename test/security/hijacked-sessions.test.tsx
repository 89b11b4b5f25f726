import { chmodSync, existsSync, readFileSync } from "node:fs";
import { type AgentLike, createService, runWorkflow } from "treadle";
import Database from "better-sqlite3";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { runCommandLine } from "../../src/cli/program.js";
import { Workspace } from "../cli/support/treadle.js";
import { memoryTerminal } from "../cli/support/terminal.js";
import { isIsolationPermitted, openNetwork } from "../tools/support/isolation.js";

/** Attacks of a session's command on the person who opens it. */
const TOOL = `#!/bin/sh
{ echo "ran $*"; echo "task $TREADLE_TASK"; echo "db $SERVICE_DB$SERVICE_API_KEY"; wc -c < service.db; } >> opened.txt
`;

/** A workspace with a run whose only task has been handed over. */
async function handedOver(args: readonly string[] = ["--resume", "s1"]) {
  const workspace = new Workspace({ "bin/clerk": TOOL });
  chmodSync(workspace.path("bin/clerk"), 0o755);
  const agent: AgentLike = {
    id: "clerk",
    async generate({ onEvent } = {}) {
      onEvent?.({ type: "started", engine: "clerk", title: "clerk", resume: "s1" });
      return { output: { text: "" }, sessionId: "s1" };
    },
    resumeCommand: () => ({ command: workspace.path("bin/clerk"), args: [...args], env: {} }),
  };
  const api = createService(
    { output: z.object({ text: z.string() }) },
    { dbPath: workspace.path("service.db") },
  );
  const { Workflow, Task, service, outputs } = api;
  const workflow = service(() => (
    <Workflow name="desk">
      <Task id="write" output={outputs.output} agent={agent} hijack retries={0}>
        Write a letter.
      </Task>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "r", rootDir: workspace.folder, ...openNetwork });
  const opened = () =>
    existsSync(workspace.path("opened.txt")) ? readFileSync(workspace.path("opened.txt"), "utf8") : null;
  const at = (isInteractive: boolean, ...answers: string[]) => {
    const environment = {
      ...process.env,
      SERVICE_DB: "/elsewhere/service.db",
      SERVICE_API_KEY: "key-of-the-server",
    };
    return memoryTerminal({ cwd: workspace.folder, isInteractive, answers, environment });
  };
  return { workspace, opened, at };
}

const HIJACK = ["hijack", "r", "write"];

describe("a session whose command comes from the database", () => {
  it("is shown as it would run, and not opened without a yes", async () => {
    const { opened, at } = await handedOver(["--resume", "s1; touch x", "\u202egnp.exe"]);
    const terminal = at(true, "n", "n");
    expect(await runCommandLine(HIJACK, terminal)).toBe(0);
    expect(terminal.errEnd.text).toContain("--resume 's1; touch x'");
    expect(terminal.errEnd.text).not.toContain("\u202e");
    expect(terminal.errEnd.text).toContain("Open it here? [y/N]");
    expect(opened()).toBeNull();
  });

  it("is neither opened nor printed without a terminal: the refusal names the flag that consents", async () => {
    const { opened, at } = await handedOver();
    const terminal = at(false);
    expect(await runCommandLine(HIJACK, terminal)).toBe(4);
    expect(terminal.errEnd.text).toMatch(/--yes.*--no-launch/s);
    expect(terminal.outEnd.text).toBe("");
    expect(opened()).toBeNull();
  });

  it("works for its task still: it carries the mark, and no variable leads to the database or lets into a host", async () => {
    const { opened, at } = await handedOver();
    const terminal = at(true, "y", "n");
    expect(await runCommandLine(HIJACK, terminal)).toBe(0);
    expect(opened()).toContain("ran --resume s1\ntask r/write\ndb \n");
  });

  it.runIf(isIsolationPermitted)("does not see the database", async () => {
    const { opened, at } = await handedOver();
    await runCommandLine([...HIJACK, "--yes"], at(true));
    expect(opened()).toMatch(/^0$/m);
  });

  it("is refused with table and row when this library could not have written it", async () => {
    const { workspace, opened, at } = await handedOver();
    const db = new Database(workspace.path("service.db"));
    const crafted = JSON.stringify({ hijack: { agentId: "a", sessionId: "s", cwd: "/", command: 7 } });
    db.prepare("UPDATE _service_attempts SET meta_json = ?").run(crafted);
    db.close();
    const terminal = at(true);
    const code = await runCommandLine([...HIJACK, "--yes"], terminal);
    expect(code).not.toBe(0);
    expect(terminal.errEnd.text).toMatch(/STORAGE_ERROR[\s\S]*_service_attempts/);
    expect(opened()).toBeNull();
  });
});

vi.setConfig({ testTimeout: 60_000 });
