import { createHmac } from "node:crypto";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { createService, type ServiceWorkflow } from "../../src/index.js";
import type { Gateway } from "../../src/hosts/gateway/index.js";
import { createMemoryStore } from "../../src/memory/index.js";
import { createScorer } from "../../src/scorers/index.js";
import { openConsole, sees } from "./support/scene.js";

const SECRET = "correct horse";
const MARKUP = `<img src=x onerror="document.title='owned'">`;
const TURNED = "safe\u202Egnp.exe";

const brevity = createScorer({
  id: "brevity",
  name: `Brevity ${MARKUP}`,
  description: "Short is good.",
  score: async ({ output }) => ({ score: (output as { n: number }).n / 10 }),
});

const writer = {
  id: `writer${MARKUP}`,
  generate: async () => ({ text: '{"n":1}', usage: { inputTokens: 1_200, outputTokens: 34 } }),
};

/** Asks an agent, is scored, and keeps what it was given. */
function judged(folder: string): ServiceWorkflow {
  const { Workflow, Sequence, Task, service, outputs } = createService(
    {
      input: z.object({ n: z.number() }),
      output: z.object({ n: z.number() }),
      said: z.object({ n: z.number() }),
    },
    { dbPath: join(folder, "service.db") },
  );
  return service((ctx) => (
    <Workflow name="judge">
      <Sequence>
        <Task id="ask" output={outputs.said} agent={writer}>
          How many?
        </Task>
        <Task id="judge" output={outputs.output} scorers={{ brevity: { scorer: brevity } }}>
          {() => ({ n: ctx.input.n })}
        </Task>
      </Sequence>
    </Workflow>
  ));
}

const register = (gateway: Gateway, folder: string) => {
  gateway.register("judge", judged(folder), { webhook: { secret: SECRET, run: { enabled: true } } });
};

/** A request to the webhook, signed rightly unless its headers say otherwise. */
async function post(url: string, data: object, headers: Record<string, string>): Promise<void> {
  const body = JSON.stringify(data);
  const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
  await fetch(`${url}/webhooks/judge`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-hub-signature-256": signature, ...headers },
    body,
  });
}

it("what came to a webhook is shown with its runs, and one that was done is replayed after a question", async () => {
  const { page, gateway, open, complaints } = await openConsole({ register });
  await open("/webhooks");
  await sees(page, "Nothing has come yet.");
  await post(gateway.url, { n: 5 }, { "x-delivery-id": `d1 ${MARKUP}` });
  await post(gateway.url, { n: 5 }, { "x-hub-signature-256": "sha256=00" });
  await post(gateway.url, { m: TURNED }, { "x-delivery-id": "d2" });
  // Without a reload: the gateway tells of it.
  await sees(page, "bad signature");
  await sees(page, "bad payload");
  await page.getByRole("link", { name: "Refused" }).click();
  await page.getByText("d1 <img").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Accepted" }).click();
  await page.getByRole("button", { name: "Replay…" }).click();
  await sees(page, "It starts a run.");
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await sees(page, "replay of id:d1 <img");
  const { runs } = await gateway.call<{ runs: unknown[] }>("listRuns");
  expect(runs).toHaveLength(2);
  expect(complaints).toEqual([]);
});

it("agents, scores, memory and the gateway's own numbers are shown, with what others have written as text", async () => {
  const { page, run, open, gateway, complaints } = await openConsole({ register });
  const first = await run("judge", "finished", { n: 4 });
  const second = await run("judge", "finished", { n: 9 });
  const scored = async () => {
    const { summary } = await gateway.call<{ summary: unknown[] }>("listScores", { runId: second });
    return summary.length;
  };
  await expect.poll(scored).toBe(1);
  const memory = createMemoryStore(join(gateway.folder, "service.db"));
  await memory.setFact({ kind: "user", id: "ada" }, "language", { said: MARKUP, more: TURNED.repeat(20) });
  await open("/agents");
  await page.getByRole("row", { name: /writer<img .* 2 2,400 0 68/ }).waitFor();
  await open("/scores");
  await page.getByRole("row", { name: /judge Brevity <img .* 2 0\.650 0\.400 0\.900/ }).waitFor();
  const newest = page.locator("section", { has: page.getByRole("heading", { name: "Newest" }) });
  await newest.getByRole("link", { name: second.slice(0, 24) }).waitFor();
  await newest.getByRole("link", { name: "judge", exact: true }).first().click();
  await sees(page, /^Brevity/);
  expect(page.url()).toContain(`/runs/${second}/nodes/judge?tab=scores`);
  await page.goBack();
  await page.getByLabel("First run").fill(first);
  await page.getByLabel("Second run").fill("latest");
  await page.getByRole("button", { name: "Compare" }).click();
  await sees(page, "better by 0.500");
  expect(new URL(page.url()).searchParams.get("after")).toBe(second);
  await open("/memory?namespace=user%3Aada");
  await sees(page, /<img src=x/);
  await page.getByRole("button", { name: /^All/ }).click();
  await sees(page, /safe\\u202egnp\.exe/);
  const { threadId } = await memory.createThread({ kind: "user", id: "ada" }, `Help ${MARKUP}`);
  await memory.saveMessage({ threadId, role: "user", contentJson: JSON.stringify(`Why ${MARKUP}?`) });
  await page.getByLabel("Text").fill("no such words");
  await page.getByRole("button", { name: "Find" }).click();
  await sees(page, "No such fact is remembered.");
  await page.getByRole("link", { name: "Conversations" }).click();
  await page.getByRole("link", { name: /^Help <img/ }).click();
  await sees(page, /^Why <img/);
  await open("/status");
  await sees(page, "Tasks that wait for a slot");
  await sees(page, join(gateway.folder, "service.db"));
  expect(await page.locator("main img, main script").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  expect(complaints).toEqual([]);
});
