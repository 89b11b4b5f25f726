import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { createService } from "../../src/index.js";
import { openConsole, sees } from "./support/scene.js";

const TASKS = 1_200;

it("draws the lines in sight of thousands of tasks, counts all of them, and finds the one that failed", async () => {
  const { page, run, open } = await openConsole({
    register(gateway, folder) {
      const { Workflow, Parallel, Task, service, outputs } = createService(
        { row: z.object({ n: z.number() }) },
        { dbPath: join(folder, "service.db") },
      );
      const workflow = service(() => (
        <Workflow name="many">
          <Parallel>
            {Array.from({ length: TASKS }, (_, n) =>
              n === 987 ? (
                <Task id={`t-${n}`} output={outputs.row} retries={0} continueOnFail>
                  {() => {
                    throw new Error("the one");
                  }}
                </Task>
              ) : (
                <Task id={`t-${n}`} output={outputs.row}>
                  {{ n }}
                </Task>
              ),
            )}
          </Parallel>
        </Workflow>
      ));
      gateway.register("many", workflow);
    },
  });
  const runId = await run("many", "finished");
  await open(`/runs/${runId}`);
  await sees(page, `${TASKS - 1}/${TASKS}`);
  await sees(page, "succeeded with 1 failed");
  const lines = page.getByRole("treeitem");
  expect(await lines.count()).toBeLessThan(80);
  await page.getByRole("tree").focus();
  await page.keyboard.press("End");
  await page.getByRole("treeitem", { name: `t-${TASKS - 1}` }).waitFor();
  await page.getByRole("button", { name: "failed" }).click();
  await lines.first().click();
  await sees(page, "the one");

  await page.getByRole("link", { name: "Graph" }).click();
  const graph = page.getByRole("group", { name: "What leads to what" });
  await graph.getByRole("button", { name: "t-0 … t-39" }).press("Enter");
  await graph.getByRole("button", { name: "t-0 … t-19" }).press("Enter");
  await graph.getByRole("link", { name: "t-1, finished" }).waitFor();
  await page
    .getByRole("button", { name: /^Fold / })
    .last()
    .click();
  await graph.getByRole("link", { name: "t-1, finished" }).waitFor({ state: "detached" });
});
