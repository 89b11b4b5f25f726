import { join } from "node:path";
import { createService, ServiceError } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { bearer } from "../hosts/gateway/support/gateway.js";
import { INPUT, openConsole, sees } from "./support/scene.js";

const tokens = {
  all: { role: "lead", scopes: ["*"], userId: "ada" },
  reads: { role: "viewer", scopes: ["run:read"], userId: "eve" },
};

it("asks for a token, refuses a wrong one, and shows who may not act what they lack", async () => {
  const { page, run, open } = await openConsole({
    gateway: { auth: { mode: "token", tokens } },
    headers: bearer("all"),
  });
  const runId = await run("release", "waiting-approval", INPUT);
  await page.getByLabel("Token").fill("guessed");
  await page.getByRole("button", { name: "Use this token" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Token").fill("reads");
  await page.getByRole("button", { name: "Use this token" }).click();
  await page.getByRole("link", { name: runId, exact: true }).click();
  const approve = page.getByRole("button", { name: "Approve" });
  await expect.poll(() => approve.isDisabled()).toBe(true);
  expect(await approve.textContent()).toContain("needs approval:submit");
  expect(await page.getByRole("button", { name: /^Cancel…/ }).textContent()).toContain("needs run:write");
  await sees(page, "eve");
  await page.getByRole("link", { name: "Frames" }).click();
  const fork = page.getByRole("button", { name: /^Fork…/ });
  expect(await fork.textContent()).toContain("needs run:admin");
  expect(await fork.isDisabled()).toBe(true);
  await open("/status");
  await page.getByRole("row", { name: "launchRun run:write" }).waitFor();
});

it("takes the token out of the link that it was opened with", async () => {
  const { page, gateway } = await openConsole({ gateway: { auth: { mode: "token", tokens } } });
  await page.goto(`${gateway.url}/console/inbox#token=all`);
  await sees(page, "Nothing waits for a decision.");
  expect(page.url()).toBe(`${gateway.url}/console/inbox`);
});

/** An agent that fails before it is asked anything. */
function drafting(folder: string) {
  const { Workflow, Task, service, outputs } = createService(
    { output: z.object({ text: z.string() }) },
    { dbPath: join(folder, "service.db") },
  );
  const agent = {
    id: "writer",
    generate: () => Promise.reject(new ServiceError("AGENT_CONFIG_INVALID", "There is no such model.")),
  };
  return service(() => (
    <Workflow name="drafting">
      <Task id="draft" agent={agent} output={outputs.output} noRetry>
        Write.
      </Task>
    </Workflow>
  ));
}

it("keeps from a viewer what is done to tasks and runs by hand, on the page and behind it", async () => {
  const { page, run, open, gateway } = await openConsole({
    gateway: { auth: { mode: "token", tokens } },
    headers: bearer("all"),
    register: (host, folder) => host.register("drafting", drafting(folder)),
  });
  const runId = await run("drafting", "failed");
  await open(`/runs/${runId}/nodes/draft#token=reads`);
  const task = page.getByRole("region", { name: "Task draft" });
  for (const name of ["Retry task…", "Edit prompt and retry…", "Complete by hand…", "Skip…"]) {
    const button = task.getByRole("button", { name: `${name} needs run:write` });
    await button.first().waitFor();
    expect(await button.first().isDisabled()).toBe(true);
  }
  await open("/runs");
  await page.getByLabel(`Select run ${runId}`).check();
  const prune = page.getByRole("button", { name: "Delete… needs run:admin" });
  await prune.waitFor();
  expect(await prune.isDisabled()).toBe(true);
  const at = { runId, nodeId: "draft" };
  for (const [method, params, requiredScope] of [
    ["completeTask", { ...at, output: { text: "" } }, "run:write"],
    ["skipTask", at, "run:write"],
    ["retryTask", { ...at, prompt: "Write more." }, "run:write"],
    ["pruneRuns", { runIds: [runId] }, "run:admin"],
  ] as const) {
    expect(await gateway.rpc(method, params, bearer("reads"))).toMatchObject({
      status: 403,
      body: { error: { code: "FORBIDDEN", details: { requiredScope } } },
    });
  }
});
