import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { claimRun } from "../../../src/engine/session/lease.js";
import type { RunRow } from "../../../src/model/run.js";
import { OWNER_MARKER } from "../../../src/process/process-terms.js";
import { openScene } from "../../support/engine/scene.js";

/** A process of an owner that has died without its watchdog. */
function leftBy(ownerId: string) {
  const child = spawn("sleep", ["600"], {
    env: { ...process.env, [OWNER_MARKER]: ownerId },
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

it.runIf(process.platform === "linux")(
  "what a dead owner's tasks have left running ends before the run continues, and nobody else's does",
  async () => {
    const { api, run, store, time } = openScene({ row: z.object({ n: z.number() }) });
    const { Workflow, Task, outputs, service } = api;
    const dead = "elsewhere/1/dead-owner";
    const [left, others] = [leftBy(dead), leftBy("elsewhere/1/another-owner")];
    const ended = once(left, "exit");
    await run(
      service(() => (
        <Workflow name="left">
          <Task id="work" output={outputs.row}>
            {{ n: 1 }}
          </Task>
        </Workflow>
      )),
    );
    const row = (await store.getRun("run")) as RunRow;
    const { epoch, ownerId, heartbeatAtMs } = row;
    await store.claimRun({
      runId: "run",
      ownerId: dead,
      nowMs: 0,
      expected: { epoch, ownerId, heartbeatAtMs },
    });
    const owned = (await store.getRun("run")) as RunRow;
    await claimRun(store, owned, { clock: time, force: true });
    await ended;
    expect(left.signalCode).toBe("SIGKILL");
    expect(others.signalCode).toBeNull();
  },
);
