import { readFileSync, symlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { Workspace } from "../cli/support/treadle.js";
import { openPage } from "../console/support/browser.js";
import { EXAMPLES } from "./support/example-files.js";

/** The page of a workflow at the gateway of the examples, opened with the token that the gateway made for itself. */
async function openWorkflowPage(key: string) {
  const workspace = new Workspace();
  symlinkSync(EXAMPLES, workspace.path("examples"));
  const gateway = workspace.start([
    ...["gateway", "--config", "examples/pages/treadle.gateway.ts", "--port", "0", "--json"],
  ]);
  let said = "";
  gateway.process.stdout?.on("data", (text: string) => {
    said += text;
  });
  await expect.poll(() => said).toContain("\n");
  const { url, pages } = JSON.parse(said) as { url: string; pages: { path: string }[] };
  expect(pages.map(({ path }) => path)).toContain(`/workflows/${key}`);
  await gateway.seen("Commands of this workspace");
  const token = readFileSync(workspace.path(`.service/hosts/${new URL(url).port}.token`), "utf8");
  return { workspace, url, ...(await openPage(`${url}/workflows/${key}#token=${token}`)) };
}

it("18: a person answers at the desk, and sees what others have answered", async () => {
  const { workspace, url, page, complaints } = await openWorkflowPage("desk");
  await page.getByText("Nobody waits for an answer.").waitFor();
  for (const message of ["Where is order 7?", "Is <b>red</b> sold out?"]) {
    await page.getByLabel("Your message").fill(message);
    await page.getByRole("button", { name: "Write to the desk" }).click();
    await page.getByText(message, { exact: true }).waitFor();
  }
  const red = page.getByRole("listitem").filter({ hasText: "red" });
  await red.getByLabel("Answer").fill("Until Friday.");
  await red.getByRole("button", { name: "Send" }).click();
  await red.waitFor({ state: "detached" });
  // What a shell answers leaves the page by itself.
  const { stdout } = await workspace.treadle(["inbox", "--gateway", url, "--json"]);
  const [waiting] = (JSON.parse(stdout) as { items: { runId: string }[] }).items;
  const answer = ["approve", waiting?.runId ?? "", "answer", "--data", '{"text":"On its way."}', "--yes"];
  expect(await workspace.treadle([...answer, "--gateway", url])).toMatchObject({ code: 0 });
  await page.getByText("Nobody waits for an answer.").waitFor();
  await page.getByText("Answered: 2").waitFor();
  expect(complaints).toEqual([]);
});

it("19: the report fills in while its run works, and a reload in the middle shows the same", async () => {
  const { page, complaints } = await openWorkflowPage("live-report");
  await page.getByRole("button", { name: "Make a report" }).click();
  await page.getByRole("cell", { name: "in-progress" }).first().waitFor();
  await page.getByRole("row", { name: "north 555" }).waitFor();
  await page.reload();
  await page.getByRole("row", { name: "north 555" }).waitFor();
  await page.getByText("orders, most of them in the south.").waitFor();
  expect(await page.getByText("orders, most of them").textContent()).toMatch(/^\d{4} orders/);
  expect(complaints).toEqual([]);
});
