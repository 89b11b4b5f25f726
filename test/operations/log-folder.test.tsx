import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createService, runWorkflow } from "treadle";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { RunEvent } from "../../src/model/events.js";
import { eventFile } from "../../src/operations/read/event-file.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("what is written to a logDir is for its owner alone, as the database is", async () => {
  const folder = temporaryFolder("log");
  const { Workflow, service } = createService({}, { dbPath: join(folder, "service.db") });
  const workflow = service(() => <Workflow name="logged" />);
  const logDir = join(folder, "logs", "events");
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  const { runId } = await runWorkflow(workflow, { input: {}, logDir });
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(modeOf(join(logDir, `${runId}.ndjson`))).toBe("600");
  expect([modeOf(logDir), modeOf(join(folder, "logs"))]).toEqual(["700", "700"]);
});

test("a logDir that is a file is refused as an option, before anything runs", async () => {
  const folder = temporaryFolder("log");
  const { Workflow, Task, service, outputs } = createService(
    { output: z.object({ n: z.number() }) },
    { dbPath: join(folder, "service.db") },
  );
  const workflow = service(() => (
    <Workflow name="logged">
      <Task id="a" output={outputs.output}>
        {{ n: 1 }}
      </Task>
    </Workflow>
  ));
  const logDir = join(folder, "taken");
  writeFileSync(logDir, "");
  await expect(runWorkflow(workflow, { input: {}, logDir })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { path: logDir },
  });
});

test("events are not appended to what a link in the folder leads to", () => {
  const root = temporaryFolder();
  const outside = join(root, "outside");
  writeFileSync(outside, "");
  const write = eventFile(join(root, "logs"), root);
  symlinkSync(outside, join(root, "logs", "r1.ndjson"));
  expect(() => write({ ...event, runId: "r1" })).toThrow();
  expect(readFileSync(outside, "utf8")).toBe("");
  write({ ...event, runId: "r2" });
  expect(readFileSync(join(root, "logs", "r2.ndjson"), "utf8")).toContain('"r2"');
});

test.each(["logs", "a/logs"])("below the root, %s is not followed through a link", (name) => {
  const root = temporaryFolder();
  const outside = temporaryFolder();
  symlinkSync(outside, join(root, name.split("/")[0] as string));
  expect(() => eventFile(join(root, name), root)).toThrow(/symbolic link/);
});

const event: RunEvent = { type: "RunCancelled", runId: "r", timestampMs: 0 };
