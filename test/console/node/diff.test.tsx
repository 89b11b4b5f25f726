import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, createService } from "../../../src/index.js";
import { recordStates, repository } from "../../vcs/states/repository.js";
import { openConsole } from "../support/scene.js";

const MARKUP = `<img src=x onerror="document.title='owned'">`;
const LINES = 10_000;

it("shows the files that a task has changed, each with its lines, long ones when they are asked for", async () => {
  recordStates();
  const { root } = await repository({ "kept.txt": "one\ntwo\n", "old.txt": "gone\n" });
  const agent: AgentLike = {
    id: "worker",
    async generate() {
      appendFileSync(join(root, "kept.txt"), `${MARKUP}\n`);
      rmSync(join(root, "old.txt"));
      writeFileSync(join(root, "long.txt"), Array.from({ length: LINES }, (_, n) => `line ${n}\n`).join(""));
      return { output: { ok: true } };
    },
  };
  const { page, run, open, complaints } = await openConsole({
    gateway: { folder: root },
    register(host, folder) {
      const { Workflow, Task, service, outputs } = createService(
        { output: z.object({ ok: z.boolean() }) },
        { dbPath: join(folder, "service.db") },
      );
      const workflow = service(() => (
        <Workflow name="change">
          <Task id="edit" agent={agent} output={outputs.output}>
            Change the files.
          </Task>
        </Workflow>
      ));
      host.register("change", workflow);
    },
  });
  const runId = await run("change", "finished");
  await open(`/runs/${runId}/nodes/edit?tab=diff`);
  const changes = page.getByRole("region", { name: "Changes" });
  await changes.getByText("3 files").waitFor();
  await changes.getByText("kept.txt").click();
  await changes.getByText(`+${MARKUP}`).waitFor();
  await changes.getByText("old.txt").click();
  await changes.getByText("-gone").waitFor();
  await changes.getByText("long.txt").click();
  await changes.getByRole("button", { name: "Show the changes" }).click();
  await changes.getByText("+line 7", { exact: true }).waitFor();
  await changes.getByRole("button", { name: "Show more" }).click();
  await changes.getByText(`+line ${LINES - 1}`, { exact: true }).waitFor();
  expect(await page.title()).not.toBe("owned");
  expect(complaints).toEqual([]);
});
