import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../support/engine/scene.js";
import { changesOf, watchMetrics } from "./support/changes.js";

const names = ["service_timers_pending", "service_runs_active"] as const;

function waiting() {
  const scene = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Timer, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="waiting">
      <Timer id="pause" duration="1h" />
    </Workflow>
  ));
  return { ...scene, workflow };
}

describe("runs with one id in two databases of a process", () => {
  it("are two runs to the gauges", async () => {
    const [one, other] = [waiting(), waiting()];
    const changes = watchMetrics();
    expect((await one.drive(one.workflow)).status).toBe("waiting-timer");
    expect((await other.drive(other.workflow)).status).toBe("waiting-timer");
    expect(Object.values(changesOf(changes, ...names))).toEqual([2, 0]);
    await one.time.advance(3_600_000);
    expect((await one.resume(one.workflow)).status).toBe("finished");
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 0]);
  });
});
