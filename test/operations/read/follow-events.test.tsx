import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approveNode, followEvents, runWorkflow, type StoredEvent } from "../../../src/index.js";
import { createSqliteDb } from "../../../src/store/create-sqlite-db.js";
import { ServiceDb } from "../../../src/store/service-db.js";
import { openScene } from "../../support/engine/scene.js";

const schemas = {
  decision: z.object({ approved: z.boolean() }),
  output: z.object({ ok: z.boolean() }),
};

function asking() {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Approval, Task, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Sequence>
        <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
        <Task id="end" output={outputs.output}>
          {{ ok: true }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  return { ...scene, workflow };
}

async function collect(events: AsyncIterable<StoredEvent>): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

describe("following the events of a run", () => {
  it("gives each once and in order, also those that come later, and ends with the run", async () => {
    const { workflow } = asking();
    await runWorkflow(workflow, { runId: "run", input: {} });
    const following = collect(followEvents(workflow, { runId: "run" }));
    await approveNode(workflow, { runId: "run", nodeId: "ok" });
    await runWorkflow(workflow, { runId: "run", resume: true });
    const events = await following;
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)?.event.type).toBe("RunFinished");
  });

  it("gives what another process commits", async () => {
    const { workflow, path } = asking();
    await runWorkflow(workflow, { runId: "run", input: {} });
    const { store } = createSqliteDb({ path, schemas });
    const following = collect(followEvents(new ServiceDb(store), { runId: "run", pollMs: 5 }));
    await approveNode(workflow, { runId: "run", nodeId: "ok" });
    await runWorkflow(workflow, { runId: "run", resume: true });
    expect((await following).at(-1)?.event.type).toBe("RunFinished");
    await store.close();
  });

  it("continues after the number that is given, and gives only what is asked for", async () => {
    const { workflow } = asking();
    await runWorkflow(workflow, { runId: "run", input: {} });
    const all = await collect(followEvents(workflow, { runId: "run", follow: false }));
    const third = all[2] as StoredEvent;
    const rest = await collect(followEvents(workflow, { runId: "run", follow: false, afterSeq: third.seq }));
    expect(rest).toEqual(all.slice(3));
    const asked = { runId: "run", follow: false, types: ["ApprovalRequested" as const], limit: 1 };
    expect((await collect(followEvents(workflow, asked))).map(({ event }) => event.type)).toEqual([
      "ApprovalRequested",
    ]);
  });

  it("ends without an error when the signal fires, also while nothing happens", async () => {
    const { workflow } = asking();
    await runWorkflow(workflow, { runId: "run", input: {} });
    const stop = new AbortController();
    const found: StoredEvent[] = [];
    for await (const stored of followEvents(workflow, { runId: "run", signal: stop.signal })) {
      found.push(stored);
      if (stored.event.type === "ApprovalRequested") setImmediate(() => stop.abort());
    }
    expect(found.length).toBeGreaterThan(0);
  });

  it("is refused of a run that is not there, and with options that do not exist", async () => {
    const { workflow } = asking();
    await expect(collect(followEvents(workflow, { runId: "gone" }))).rejects.toMatchObject({
      code: "RUN_NOT_FOUND",
    });
    await expect(collect(followEvents(workflow, { runId: "run", after: 3 } as never))).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});
