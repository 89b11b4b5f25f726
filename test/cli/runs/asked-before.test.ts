import { expect, it, onTestFinished, vi } from "vitest";
import { runCommandLine } from "../../../src/cli/program.js";
import { openExisting } from "../../../src/store/open-existing.js";
import { memoryTerminal, type MemoryTerminal } from "../support/terminal.js";
import { Workspace } from "../support/treadle.js";
import { FAILING, HELLO } from "../support/workflows.js";

const HOUR_MS = 3_600_000;

/** A command line that a person at a terminal has typed; it stands at its question. */
async function asking(workspace: Workspace, argv: readonly string[]) {
  const terminal: MemoryTerminal = memoryTerminal({ cwd: workspace.folder, isInteractive: true });
  const ended = runCommandLine([...argv, "--db", workspace.path("service.db")], terminal);
  await expect.poll(() => terminal.errEnd.text).toContain("[y/N]");
  return {
    async answer(word: string) {
      terminal.input.write(`${word}\n`);
      return { code: await ended, stdout: terminal.outEnd.text };
    },
  };
}

it("Ctrl-C at the question of retry ends the command, as at every other one", async () => {
  const workspace = new Workspace({ "failing.tsx": FAILING });
  await workspace.treadle(["up", "failing.tsx", "--run-id", "f1"]);
  const listeners = process.listenerCount("SIGINT");
  const question = await asking(workspace, ["retry", "f1"]);
  expect(process.listenerCount("SIGINT")).toBe(listeners);
  expect(await question.answer("n")).toEqual({ code: 2, stdout: "Nothing was continued.\n" });
});

it("prune deletes no run that its question did not show, however long the answer takes", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const startMs = Date.UTC(2026, 0, 1);
  const workspace = new Workspace({ "hello.tsx": HELLO });
  for (const [runId, hours] of [
    ["old", 0],
    ["young", 2],
  ] as const) {
    vi.setSystemTime(startMs + hours * HOUR_MS);
    await workspace.treadle(["up", "hello.tsx", "--run-id", runId]);
  }
  vi.setSystemTime(startMs + 3.5 * HOUR_MS);
  const question = await asking(workspace, ["prune", "--older-than", "3h"]);
  vi.setSystemTime(startMs + 6 * HOUR_MS);
  expect(await question.answer("y")).toEqual({ code: 0, stdout: "✓ old deleted\n" });
  const store = openExisting(workspace.path("service.db"));
  onTestFinished(() => store.close());
  expect((await store.listRuns({ limit: 10 })).map(({ runId }) => runId)).toEqual(["young"]);
});
