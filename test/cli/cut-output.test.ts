import { expect, it } from "vitest";
import { callIn } from "./support/in-process.js";
import { Workspace } from "./support/treadle.js";
import { SIX } from "./support/workflows.js";

/** A run of six tasks, each of which says one line. */
async function runOfSix() {
  const workspace = new Workspace({ "six.tsx": SIX, go: "" });
  await workspace.treadle(["up", "six.tsx", "--run-id", "six"]);
  return (...argv: string[]) => callIn(workspace.folder, argv);
}

it("events say that they were cut, with the command that continues", async () => {
  const call = await runOfSix();
  const { stdout, stderr } = await call("events", "six", "--type", "NodeFinished", "--limit", "2");
  const seq = Number(/^ *(\d+) .*t2 /m.exec(stdout)?.[1]);
  expect(stderr).toBe(
    `… cut after 2 events; the next ones: treadle events six --type NodeFinished --after ${seq}\n`,
  );
  const rest = await call("events", "six", "--type", "NodeFinished", "--after", String(seq));
  expect(rest.stdout).toMatch(/t3 [^]*t6 /);
  expect(rest.stderr).toBe("");
  expect((await call("events", "six", "--type", "NodeFinished", "--limit", "6")).stderr).toBe("");
});

it("logs say that earlier entries were left out", async () => {
  const call = await runOfSix();
  expect((await call("logs", "six", "--tail", "2")).stderr).toBe(
    "… cut: only the last 2 entries; all of them: treadle logs six\n",
  );
  expect((await call("logs", "six", "--tail", "6")).stderr).toBe("");
});
