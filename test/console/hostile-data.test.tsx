import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { approvalDecision, createService } from "../../src/index.js";
import { openConsole, sees } from "./support/scene.js";

const MARKUP = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const TURNED = "safe\u202Egnp.exe";

it("shows what others have written as text: nothing of it runs, turns text around or leaves the page", async () => {
  const { page, run, open, complaints } = await openConsole({
    register(gateway, folder) {
      const { Workflow, Sequence, Approval, Task, service, outputs } = createService(
        { gate: approvalDecision, big: z.object({ text: z.string(), href: z.string() }) },
        { dbPath: join(folder, "service.db"), readableName: MARKUP },
      );
      const workflow = service(() => (
        <Workflow name={MARKUP}>
          <Sequence>
            <Task id="big" label={`${MARKUP}${TURNED}`} output={outputs.big}>
              {() => ({ text: "x".repeat(1_000_000), href: "javascript:document.title='owned'" })}
            </Task>
            <Approval
              id="gate"
              output={outputs.gate}
              request={{ title: MARKUP, summary: `\u001b[31m${TURNED}`, metadata: { [MARKUP]: MARKUP } }}
            />
          </Sequence>
        </Workflow>
      ));
      gateway.register("hostile", workflow);
    },
  });
  const runId = await run("hostile", "waiting-approval");
  for (const path of [
    "",
    "/inbox",
    "/catalog",
    "/catalog/hostile",
    `/runs/${runId}`,
    `/runs/${runId}/events`,
  ]) {
    await open(path);
    await sees(page, /<img src=x/);
  }
  await open(`/runs/${runId}/nodes/big?tab=output`);
  await sees(page, /Show more/);
  await sees(page, /safe\\u202egnp\.exe/);
  expect(await page.locator("main img, main script, main a[href^='javascript']").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  expect(complaints).toEqual([]);
});
