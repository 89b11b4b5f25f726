import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, grep, read } from "../../src/tools/index.js";
import { openNetwork } from "../tools/support/isolation.js";
import { row, runAgentTask, scriptedAgent, temporaryFolder } from "./support/agent-run.js";

const tools = { read, grep, bash };

/** Asks for one call, then answers; `heard` is what the model got back from the tool. */
async function oneCall(call: { name: string; input: unknown }, options: object = {}) {
  const rootDir = temporaryFolder();
  writeFileSync(join(rootDir, "notes.txt"), `needle\n${"hay\n".repeat(400)}`);
  const { agent, server } = await scriptedAgent([{ toolCalls: [call] }, { object: row }], {
    tools,
    nativeStructuredOutput: true,
  });
  const run = await runAgentTask(agent, { rootDir, ...options });
  return { ...run, heard: JSON.stringify(server.requests[1]?.body["messages"]) };
}

describe("the built-in tools of an agent with a schema", () => {
  it("work in the run's folder and are in the log", async () => {
    const { result, heard, of } = await oneCall({ name: "grep", input: { pattern: "needle", path: "." } });
    expect(result).toMatchObject({ status: "finished", output: row });
    expect(heard).toContain("notes.txt");
    const call = { nodeId: "ask", iteration: 0, attempt: 1, toolName: "grep", seq: 1 };
    const [started] = of("ToolCallStarted");
    expect(started).toMatchObject(call);
    expect(of("ToolCallFinished")).toMatchObject([
      { ...call, toolCallId: started?.toolCallId, status: "success" },
    ]);
  });

  it("stay inside that folder", async () => {
    const { result, heard, of } = await oneCall({ name: "read", input: { path: "../../etc/passwd" } });
    expect(result.status).toBe("finished");
    expect(heard).not.toContain("root:");
    expect(of("ToolCallFinished")).toMatchObject([{ toolName: "read", status: "error" }]);
  });

  it("have their output cut at the run's maxOutputBytes", async () => {
    const cmd = "cat notes.txt";
    const { heard } = await oneCall(
      { name: "bash", input: { cmd } },
      { maxOutputBytes: 300, ...openNetwork },
    );
    expect(heard).toContain("the limit is 300 bytes");
    expect(heard.split("hay").length).toBeLessThan(100);
  });

  it("are stopped after the run's toolTimeoutMs", async () => {
    const { heard, of } = await oneCall(
      { name: "bash", input: { cmd: "sleep 300" } },
      { toolTimeoutMs: 200, ...openNetwork },
    );
    expect(heard).toContain("ran longer than 200 ms");
    expect(of("ToolCallFinished")).toMatchObject([{ status: "error" }]);
  });

  it("reach remotes only when the run allows the network", async () => {
    const call = { name: "bash", input: { cmd: "git ls-remote http://127.0.0.1:9/none.git" } };
    expect((await oneCall(call)).heard).toContain("talks to a remote");
    expect((await oneCall(call, openNetwork)).heard).not.toContain("talks to a remote");
  });
});
