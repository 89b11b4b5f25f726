import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService, runWorkflow } from "treadle";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

test("a logDir that is a file is refused as an option, before anything runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
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
