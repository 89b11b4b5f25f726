import { describe, expect, it } from "vitest";
import { z } from "zod";
import { approveNode, cancelRun, runWorkflow, ServiceDb, signalRun } from "../../src/index.js";
import type { Store } from "../../src/store/contract.js";
import { openScene } from "../support/engine/scene.js";

const schemas = { decision: z.object({ approved: z.boolean() }), go: z.object({}) };

async function waiting() {
  const { api, store } = openScene(schemas);
  const { Workflow, Parallel, Approval, Signal, outputs, service } = api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Parallel>
        <Approval id="ask" output={outputs.decision} request={{ title: "Ship it?" }} />
        <Signal id="go" schema={outputs.go} />
      </Parallel>
    </Workflow>
  ));
  await runWorkflow(workflow, { runId: "run", input: {} });
  return { workflow, store };
}

/** The database as a process sees it that has looked at the run, and then lets `meanwhile` happen. */
function seenBefore(store: Store, meanwhile: () => Promise<unknown>): ServiceDb {
  let isSeen = false;
  const submitIntent: Store["submitIntent"] = async (intent) => {
    if (!isSeen) await meanwhile();
    isSeen = true;
    return store.submitIntent(intent);
  };
  return new ServiceDb(
    new Proxy(store, {
      get(target, name) {
        if (name === "submitIntent") return submitIntent;
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    }),
  );
}

describe("a run that ends between the look at it and the request", () => {
  it.each<[string, (db: ServiceDb) => Promise<unknown>]>([
    ["a cancellation", (db) => cancelRun(db, { runId: "run" })],
    ["a signal", (db) => signalRun(db, { runId: "run", signal: "go" })],
    ["a signal with a key", (db) => signalRun(db, { runId: "run", signal: "go" }, { dedupeKey: "once" })],
    ["a decision", (db) => approveNode(db, { runId: "run", nodeId: "ask" })],
  ])("gets no %s, and who sent it is told", async (_what, send) => {
    const { workflow, store } = await waiting();
    const db = seenBefore(store, () => cancelRun(workflow, { runId: "run", reason: "first" }));
    await expect(send(db)).rejects.toMatchObject({
      code: "RUN_NOT_ACTIVE",
      details: { runId: "run", status: "cancelled" },
    });
    expect(await store.pendingIntents("run")).toEqual([]);
    // Nothing is left that would end it again.
    const again = await runWorkflow(workflow, { runId: "run", resume: true });
    expect(again.status).toBe("waiting-approval");
  });
});
