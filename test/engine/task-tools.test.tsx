import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bash, read, write } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const schemas = { said: z.object({ text: z.string() }) };

describe("tools that a task's function calls", () => {
  it("work in the folder of the run, within its limits, and are reported in its events", async () => {
    const { api, drive, events } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const rootDir = temporaryFolder();
    writeFileSync(join(rootDir, "long.txt"), "x".repeat(50));
    const result = await drive(
      service(() => (
        <Workflow name="tools">
          <Task id="save" output={outputs.said}>
            {async () => ({ text: await write.execute({ path: "a.txt", content: "here" }) })}
          </Task>
          <Task id="where" output={outputs.said}>
            {async () => ({ text: await bash.execute({ cmd: "cat a.txt" }) })}
          </Task>
          <Task id="much" output={outputs.said} noRetry continueOnFail>
            {async () => ({ text: await read.execute({ path: "long.txt" }) })}
          </Task>
        </Workflow>
      )),
      { rootDir, maxOutputBytes: 20 },
    );
    expect(result.error).toBeUndefined();
    expect(readFileSync(join(rootDir, "a.txt"), "utf8")).toBe("here");
    const calls = await events("ToolCallFinished");
    expect(calls.map(({ nodeId, toolName, status }) => [nodeId, toolName, status])).toEqual([
      ["save", "write", "success"],
      ["where", "bash", "success"],
      ["much", "read", "error"],
    ]);
  });
});
