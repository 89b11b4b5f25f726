import { describe, expect, it } from "vitest";
import { createTools, type ToolContextOptions } from "../../src/tools/index.js";
import { newId } from "../../src/util/ids.js";
import { networks } from "./support/isolation.js";
import { manualClock } from "./support/manual-clock.js";
import { eventually, processesWith } from "./support/processes.js";
import { workspace } from "./support/workspace.js";

/** A storm that ends by itself after a while: 150 processes, some detached from session and parent. */
const storm = `
  echo started
  for i in $(seq 50); do
    sleep 600 &
    (sleep 600 &) &
    setsid sh -c 'sleep 600; true' &
  done
  wait
`;

async function markedShell(options: ToolContextOptions) {
  const marker = `marker-${newId()}`;
  const clock = manualClock();
  const rootDir = await workspace();
  const { bash } = createTools({ rootDir, env: { MARKER: marker }, clock, ...options });
  return {
    clock,
    run: bash.execute,
    left: () => processesWith(marker),
    running: (count: number) =>
      eventually(async () => (await processesWith(marker)).length >= count, 100_000),
  };
}

describe.each(networks)(
  "the processes of a command (allowNetwork: $allowNetwork, isolation: $toolIsolation)",
  (network) => {
    it("are all killed at the time limit, those that detached themselves too", async () => {
      const { run, left, running, clock } = await markedShell({ ...network, toolTimeoutMs: 1_000 });
      const call = run({ cmd: storm });
      const outcome = expect(call).rejects.toMatchObject({
        code: "PROCESS_TIMEOUT",
        message: expect.stringContaining("ran longer than 1000 ms and was killed"),
        // A shell may live just long enough to say so of its children.
        details: { timeoutMs: 1_000, output: expect.stringMatching(/^started\n(?:Killed\n)*$/) },
      });
      await running(150);
      clock.advance(1_000);
      await outcome;
      expect(await left()).toEqual([]);
    });

    it("are all killed when the task is aborted", async () => {
      const controller = new AbortController();
      const { run, left, running } = await markedShell({ ...network, signal: controller.signal });
      const call = run({ cmd: storm });
      const outcome = expect(call).rejects.toMatchObject({ code: "PROCESS_ABORTED" });
      await running(150);
      controller.abort();
      await outcome;
      expect(await left()).toEqual([]);
    });

    it("do not outlive the command in the background", async () => {
      const { run, left } = await markedShell(network);
      const background = "sleep 600 & (setsid sleep 600 &) ; nohup sleep 600 >/dev/null 2>&1 & echo started";
      expect(await run({ cmd: background })).toBe("started\n");
      expect(await left()).toEqual([]);
    });

    it("cannot save themselves by ignoring signals", async () => {
      const { run, left, running, clock } = await markedShell({ ...network, toolTimeoutMs: 1_000 });
      const call = run({ cmd: "trap '' TERM INT HUP; echo deaf; while true; do sleep 600; done" });
      const outcome = expect(call).rejects.toMatchObject({ code: "PROCESS_TIMEOUT" });
      await running(2);
      clock.advance(1_000);
      await outcome;
      expect(await left()).toEqual([]);
    });

    it("may kill their own group without hurting the caller", async () => {
      const { run, left } = await markedShell(network);
      await expect(run({ cmd: "kill -KILL 0" })).rejects.toMatchObject({ code: "TOOL_COMMAND_FAILED" });
      expect(await run({ cmd: "echo fine" })).toBe("fine\n");
      expect(await left()).toEqual([]);
    });

    it("of calls made side by side do not disturb each other", async () => {
      const { run } = await markedShell(network);
      const outputs = await Promise.all(
        Array.from({ length: 10 }, (_, index) => run({ cmd: `sleep 0.0${index}; echo ${index}` })),
      );
      expect(outputs).toEqual(Array.from({ length: 10 }, (_, index) => `${index}\n`));
    });
  },
);
