import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, createService } from "../../src/index.js";
import { createScorer } from "../../src/scorers/index.js";
import { deferred } from "../../src/util/deferred.js";
import { openConsole } from "./support/scene.js";

const MARKUP = `<img src=x onerror="document.title='owned'">`;
const LINES = 30_000;

it("shows what a task's agent wrote, did and used, and what its scorers say, live and as text", async () => {
  const goesOn = deferred<void>();
  const agent: AgentLike = {
    id: "writer",
    instructions: "Be brief.",
    supportsNativeStructuredOutput: true,
    async generate({ onEvent, onStdout } = {}) {
      const tool = { id: "t1", kind: "tool", title: "read" } as const;
      onEvent?.({ type: "started", engine: "writer", title: "writer" });
      onStdout?.(`\u001b[31mfirst\u001b[0m ${MARKUP} safe\u202Egnp.exe\n`);
      await goesOn.promise;
      const input = { ...tool, detail: { input: { path: MARKUP } } };
      onEvent?.({ type: "action", engine: "writer", phase: "started", action: input });
      onEvent?.({ type: "action", engine: "writer", phase: "completed", action: tool, ok: false });
      const note = { id: "m1", kind: "note", title: "message" } as const;
      const message = `I have read ${MARKUP}`;
      onEvent?.({
        type: "action",
        engine: "writer",
        phase: "completed",
        entryType: "message",
        action: note,
        message,
      });
      onStdout?.(Array.from({ length: LINES }, (_, line) => `line ${line}\n`).join(""));
      return { output: { text: "done" }, usage: { inputTokens: 12_345, outputTokens: 67, model: "model-a" } };
    },
  };
  const polite = createScorer({
    id: "polite",
    name: "Polite",
    description: "Whether it is polite.",
    score: async () => ({ score: 0.75, reason: `because of ${MARKUP}` }),
  });
  const { page, gateway, open, complaints } = await openConsole({
    register(host, folder) {
      const { Workflow, Task, service, outputs } = createService(
        { output: z.object({ text: z.string() }) },
        { dbPath: join(folder, "service.db") },
      );
      const workflow = service(() => (
        <Workflow name="write">
          <Task
            id="draft"
            output={outputs.output}
            agent={agent}
            timeoutMs={90_000}
            scorers={{ polite: { scorer: polite } }}
          >
            {`Write about ${MARKUP}.`}
          </Task>
        </Workflow>
      ));
      host.register("write", workflow);
    },
  });
  const params = { workflow: "write" };
  const { runId } = await gateway.call<{ runId: string }>("launchRun", params);
  await gateway.until(runId, "running");
  await open(`/runs/${runId}/nodes/draft?tab=logs`);
  const lines = page.getByRole("region", { name: "Lines" });
  await lines.getByText(`first ${MARKUP} safe\\u202egnp.exe`).waitFor();
  await page.getByRole("status").filter({ hasText: "1 line, live" }).waitFor();

  goesOn.resolve();
  await gateway.until(runId, "finished");
  await lines.getByText(/output truncated/).waitFor();
  expect(await lines.getByRole("listitem").count()).toBeLessThan(200);
  await page.getByRole("searchbox", { name: "Find in the log" }).fill("LINE 4321");
  await lines.getByText("line 4321").waitFor();
  await expect.poll(() => lines.getByRole("listitem").count()).toBe(1);

  await page.getByRole("tab", { name: "transcript" }).click();
  expect(page.url()).toContain("tab=transcript");
  const entries = page.getByRole("region", { name: "Entries" });
  await entries.getByText(`I have read ${MARKUP}`).waitFor();
  const call = entries.getByRole("listitem").filter({ hasText: "read" }).filter({ hasText: "failed" });
  await call.getByRole("button", { name: "More" }).click();
  await call.getByText('"path"').waitFor();

  await page.getByRole("tab", { name: "usage" }).click();
  await page.getByRole("row", { name: "model-a writer 12,345" }).waitFor();
  const totals = page.getByRole("region", { name: "Tokens by model" });
  await totals.getByText("12,345").waitFor();

  await page.getByRole("tab", { name: "input" }).click();
  await page.getByText(`Write about ${MARKUP}.`).waitFor();
  await page.getByText("Schema of the answer").click();
  await page.getByText('"additionalProperties": false').waitFor();
  await page.getByText("Instructions of the agent").click();
  await page.getByText("Be brief.").waitFor();

  await page.getByRole("tab", { name: "overview" }).click();
  await page.getByRole("heading", { name: "Settings in the workflow" }).waitFor();
  await page.getByText("90000").waitFor();

  await page.getByRole("tab", { name: "scores" }).click();
  const scores = page.getByRole("region", { name: "Scores" });
  await scores.getByText("0.750").waitFor();
  await scores.getByText(`because of ${MARKUP}`).waitFor();
  await page.reload();
  await scores.getByText("0.750").waitFor();

  await page.getByRole("button", { name: "Edit prompt and retry…" }).click();
  const dialog = page.getByRole("alertdialog");
  const prompt = dialog.getByLabel("Prompt", { exact: true });
  await expect.poll(() => prompt.inputValue()).toBe(`Write about ${MARKUP}.`);
  await prompt.fill("Write about nothing.");
  await dialog.getByText("draft::0").waitFor();
  await dialog.getByRole("button", { name: "Retry with this prompt" }).click();
  await dialog.waitFor({ state: "detached" });
  await gateway.until(runId, "finished");
  await page.getByRole("tab", { name: "input" }).click();
  await page.getByText("The prompt was edited").waitFor();
  await page.getByText("Write about nothing.").waitFor();

  expect(await page.locator("main img").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  expect(complaints).toEqual([]);
});
