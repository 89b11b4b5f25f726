import { dirname } from "node:path";
import chromium from "@sparticuz/chromium";
import { chromium as driver } from "playwright-core";
import { Gateway } from "treadle/gateway";
import { scratch } from "./scratch.js";

/** A gateway with these workflows (made by a function of the database's path), and a browser. Ends with the process. */
export async function openConsole(workflows) {
  process.env.SERVICE_LOG_LEVEL = "none";
  const folder = scratch();
  const gateway = new Gateway({ workspaceRoot: dirname(folder.path) });
  for (const [name, make] of Object.entries(workflows)) gateway.register(name, make(folder.path));
  const url = `http://127.0.0.1:${(await gateway.listen({ port: 0 })).address().port}`;
  const call = async (method, params) => {
    const answer = await fetch(`${url}/v1/rpc/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(params),
    });
    if (!answer.ok) throw new Error(`${method} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const browser = await driver.launch({
    executablePath: await chromium.executablePath(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  return {
    browser,
    console: `${url}/console`,
    call,
    /** Once the run has ended. */
    async finished(runId) {
      while ((await call("getRun", { runId })).status !== "finished")
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
    async end() {
      await browser.close();
      folder.dispose();
      process.exit(0);
    },
  };
}
