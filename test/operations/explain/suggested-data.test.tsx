import { expect, it } from "vitest";
import { z } from "zod";
import { approveNode, explainRun, runWorkflow, signalRun } from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";

it("what a run waits for is suggested with data that fits as it stands", async () => {
  const { Workflow, Parallel, Signal, WaitForEvent, HumanTask, outputs, service } = openScene({
    paid: z.object({ amount: z.number().min(1), by: z.enum(["card", "cash"]), note: z.string().optional() }),
    room: z.object({ name: z.string(), seats: z.int() }),
  }).api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Parallel>
        <Signal id="paid" schema={outputs.paid} />
        <WaitForEvent
          id="own"
          event="moved"
          output={outputs.room}
          outputSchema={z.object({ name: z.string().min(2), seats: z.literal(4) })}
        />
        <HumanTask id="room" output={outputs.room} prompt="Which room?" />
      </Parallel>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "run", input: {} });
  const suggested = new Map<string, unknown>();
  for (const { remedy } of (await explainRun(workflow, "run")).blockers) {
    if (remedy?.action === "signal") {
      const { signal, example } = remedy;
      suggested.set(signal, example);
      await signalRun(workflow, { runId: "run", signal, data: example });
    } else if (remedy?.action === "approve") {
      const { nodeId, example } = remedy;
      suggested.set(nodeId, example);
      await approveNode(workflow, { runId: "run", nodeId, data: example });
    }
  }
  expect(suggested.get("paid")).toEqual({ amount: 1, by: "card" });
  expect([...suggested.keys()].sort()).toEqual(["moved", "paid", "room"]);
  const { status } = await runWorkflow(workflow, { runId: "run", input: {}, resume: true });
  expect(status).toBe("finished");
});
