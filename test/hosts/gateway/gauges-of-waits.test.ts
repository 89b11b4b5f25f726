import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { parseExposition } from "../../observability/support/parse-exposition.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const headers = { "content-type": "application/json" };

/** A gateway in a process of its own. */
async function start(folder: string) {
  const options = { dbPath: join(folder, "service.db"), workspaceRoot: folder };
  const program = [at("support/waiting-program.mjs"), at("../../../dist"), JSON.stringify(options)];
  const child = spawn(process.execPath, program, { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const url = `http://127.0.0.1:${String(line).trim()}`;
  return {
    child,
    async call(method: string, params: object) {
      const request = { method: "POST", headers, body: JSON.stringify(params) };
      const response = await fetch(`${url}/v1/rpc/${method}`, request);
      expect({ method, status: response.status }).toEqual({ method, status: 200 });
      return (await response.json()) as { status?: string };
    },
    /** What waits, as `/metrics` has it. */
    async gauges() {
      const families = parseExposition(await (await fetch(`${url}/metrics`)).text());
      const value = (name: string, kind?: string) =>
        families.get(name)?.samples.find(({ labels }) => labels.kind === kind)?.value;
      return {
        approvals: value("service_approval_pending"),
        asked: value("service_external_wait_async_pending", "approval"),
        events: value("service_external_wait_async_pending", "event"),
        timers: value("service_timers_pending"),
      };
    },
  };
}

it("what waits is the same in all gateways of one database, no matter which drove, decided or ended it, and after a restart", async () => {
  const folder = temporaryFolder();
  const [one, other] = await Promise.all([start(folder), start(folder)]);
  const launch = async (gateway: typeof one, runId: string) => {
    await gateway.call("launchRun", { workflow: "waiting", runId });
    await expect
      .poll(async () => (await gateway.call("getRun", { runId })).status, { timeout: 100_000 })
      .toMatch(/^waiting-/);
  };
  for (const runId of ["a", "b", "c"]) await launch(one, runId);
  for (const runId of ["d", "e"]) await launch(other, runId);
  const five = { approvals: 5, asked: 5, events: 5, timers: 5 };
  expect([await one.gauges(), await other.gauges()]).toEqual([five, five]);

  await other.call("submitApproval", { runId: "a", nodeId: "gate", approved: true });
  await one.call("cancelRun", { runId: "d" });
  const left = { approvals: 3, asked: 3, events: 4, timers: 4 };
  await expect
    .poll(async () => [await one.gauges(), await other.gauges()], { timeout: 100_000 })
    .toEqual([left, left]);

  one.child.kill("SIGKILL");
  await once(one.child, "exit");
  expect([await (await start(folder)).gauges(), await other.gauges()]).toEqual([left, left]);
});
