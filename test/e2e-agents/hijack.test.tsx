import { createService, hijackRun, releaseHijack, runWorkflow } from "treadle";
import { ClaudeCodeAgent } from "treadle/agents";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createFakeTool, type FakeTool } from "../agents/cli/support/fake-tool.js";
import { openNetwork } from "../tools/support/isolation.js";
import { temporaryFolder } from "./support/agent-run.js";

let fake: FakeTool;
afterEach(() => fake.remove());

const init = { type: "system", subtype: "init", session_id: "c0ffee", model: "m", tools: [] };
const result = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: '{"text":"as we left it"}',
  session_id: "c0ffee",
};

describe("the session of a command-line agent", () => {
  it("is taken from the running tool, opened with the tool's own command, and continued by it afterwards", async () => {
    fake = createFakeTool("claude");
    fake.plays({
      commands: { "auth status": [{ out: '{"loggedIn": true}' }] },
      steps: [],
      series: [[{ lines: [init] }, { hang: true }], [{ lines: [init, result] }]],
    });
    const folder = temporaryFolder();
    const { Workflow, Task, service, outputs } = createService(
      { output: z.object({ text: z.string() }) },
      { dbPath: `${folder}/service.db` },
    );
    const agent = new ClaudeCodeAgent({ env: fake.env });
    const workflow = service(() => (
      <Workflow name="desk">
        <Task id="write" output={outputs.output} agent={agent} retries={0}>
          Write a letter.
        </Task>
      </Workflow>
    ));
    let begun: () => void = () => {};
    const speaks = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const running = runWorkflow(workflow, {
      runId: "r",
      rootDir: folder,
      ...openNetwork,
      onProgress: ({ type }) => type === "AgentEvent" && begun(),
    });
    await speaks;
    const session = await hijackRun(workflow, { runId: "r" });
    expect([session.command, ...session.args]).toEqual(["claude", "--resume", "c0ffee"]);
    expect(session.cwd).toBe(folder);
    expect((await running).status).toBe("waiting-event");

    await releaseHijack(workflow, { runId: "r" });
    const finished = await runWorkflow(workflow, { runId: "r", resume: true, rootDir: folder });
    expect(finished).toMatchObject({ status: "finished", output: { text: "as we left it" } });
    expect(fake.lastCall().argv).toEqual(expect.arrayContaining(["--resume", "c0ffee"]));
  });
});
