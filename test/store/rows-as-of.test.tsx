import type { ReactNode } from "react";
import { createService, retryTask, runWorkflow, ServiceDb } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { taskKey } from "../../src/model/address.js";
import { isTerminalNode, type NodeRow } from "../../src/model/node.js";
import type { RunCommit, RunSnapshot, Store } from "../../src/store/contract.js";
import type { RowsAsOf } from "../../src/store/frame-contract.js";
import fc, { propertyRuns } from "../support/property-tests.js";

type Plan =
  | { kind: "task"; retries: number; fails: readonly boolean[]; isSkipped: boolean }
  | { kind: "static" }
  | { kind: "sequence" | "parallel"; parts: readonly Plan[] }
  | { kind: "loop"; rounds: number; body: Plan }
  | { kind: "block"; body: Plan; rescue: Plan };

interface Story {
  plan: Plan;
  /** After each, the run is resumed: which of the nodes that have ended is tried again; null for none. */
  again: readonly (number | null)[];
}

const { plan } = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({
      kind: fc.constant("task" as const),
      retries: fc.integer({ min: 0, max: 1 }),
      fails: fc.array(fc.boolean(), { maxLength: 3 }),
      isSkipped: fc.constantFrom(false, false, false, true),
    }),
    fc.record({ kind: fc.constant("static" as const) }),
    fc.record({
      kind: fc.constantFrom("sequence" as const, "parallel" as const),
      parts: fc.array(tie("plan"), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("loop" as const),
      rounds: fc.integer({ min: 1, max: 3 }),
      body: tie("plan"),
    }),
    fc.record({ kind: fc.constant("block" as const), body: tie("plan"), rescue: tie("plan") }),
  ),
}));

const stories: fc.Arbitrary<Story> = fc.record({
  plan,
  again: fc.array(fc.option(fc.nat(20)), { maxLength: 3 }),
});

type Rows = Pick<RowsAsOf, "nodes" | "controls" | "outputs">;

/** A run of the story, and what its database held after every commit that had frames. */
async function play({ plan, again }: Story): Promise<{ store: Store; seen: Map<number, Rows> }> {
  const schemas = { input: z.object({}), row: z.object({ n: z.number(), at: z.number() }) };
  const api = createService(schemas, { dbPath: ":memory:" });
  const { Workflow, Sequence, Parallel, Loop, Task, TryCatchFinally, outputs } = api;
  const tries = new Map<string, number>();
  let rows = 0;

  const draw = (part: Plan, id: string): ReactNode => {
    switch (part.kind) {
      case "static":
        return (
          <Task key={id} id={id} output={outputs.row}>
            {{ n: -0, at: 0.1 + 0.2 }}
          </Task>
        );
      case "task":
        return (
          <Task
            key={id}
            id={id}
            output={outputs.row}
            skipIf={part.isSkipped}
            retries={part.retries}
            retryPolicy={{ initialDelayMs: 0 }}
          >
            {() => {
              const nth = tries.get(id) ?? 0;
              tries.set(id, nth + 1);
              if (part.fails[nth] === true) throw new Error(`${id} fails`);
              rows += 1;
              return { n: rows, at: rows / 3 };
            }}
          </Task>
        );
      case "loop":
        return (
          <Loop key={id} id={id} until={false} maxIterations={part.rounds}>
            <Sequence>{draw(part.body, `${id}b`)}</Sequence>
          </Loop>
        );
      case "block":
        return (
          <TryCatchFinally
            key={id}
            id={id}
            try={<Sequence>{draw(part.body, `${id}t`)}</Sequence>}
            catch={<Sequence>{draw(part.rescue, `${id}c`)}</Sequence>}
          />
        );
      default: {
        const Block = part.kind === "sequence" ? Sequence : Parallel;
        return <Block key={id}>{part.parts.map((each, at) => draw(each, `${id}${at}`))}</Block>;
      }
    }
  };
  const workflow = api.service(() => (
    <Workflow name="story">
      <Sequence>{draw(plan, "p")}</Sequence>
    </Workflow>
  ));

  const { store } = new ServiceDb(api.db);
  await store.prepare();
  const seen = new Map<number, Rows>();
  watchCommits(store, (commit) => {
    if (commit.frames.length === 0) return;
    const held = rowsNow(store);
    for (const { frameNo } of commit.frames) seen.set(frameNo, held);
  });
  await runWorkflow(workflow, { runId: "run", input: {} });
  for (const index of again) {
    if (index !== null) {
      const ended = (await store.listNodes("run")).filter(({ state }) => isTerminalNode(state));
      const node = ended[index % Math.max(ended.length, 1)];
      if (node !== undefined) await retryTask(workflow, { ...node, runId: "run" }).catch(refused);
    }
    await runWorkflow(workflow, { runId: "run", resume: true }).catch(refused);
  }
  return { store, seen };
}

/** Not every node may be tried again, and a run that has finished is not resumed. */
function refused(error: unknown): void {
  const { code } = error as { code?: string };
  if (code !== "INVALID_INPUT" && code !== "RUN_NOT_RESUMABLE" && code !== "NODE_NOT_FOUND") throw error;
}

function watchCommits(store: Store, onCommit: (commit: RunCommit) => void): void {
  const { commit, writeTogether } = store;
  store.commit = (written) => {
    commit.call(store, written);
    onCommit(written);
  };
  store.writeTogether = (writes) => {
    const outcomes = writeTogether.call(store, writes);
    for (const write of writes) if (write.type === "commit") onCommit(write.commit);
    return outcomes;
  };
}

/** Of a store that answers at once. */
function rowsNow(store: Store): Rows {
  const { nodes, controls, outputs } = store.loadRun("run", { asStored: true }) as RunSnapshot;
  const ended = nodes.filter(hasEnded);
  const keys = new Set(ended.map((node) => `${node.outputKey} ${taskKey(node)}`));
  return {
    nodes: ended,
    controls,
    outputs: outputs.filter(({ outputKey, row }) => keys.has(`${outputKey} ${taskKey(row)}`)),
  };
}

function hasEnded({ state, lastAttempt }: NodeRow): boolean {
  return isTerminalNode(state) && (state !== "cancelled" || lastAttempt > 0);
}

it("rows are read as of a frame as they were stored when it was committed, whatever replaced them since", async () => {
  let replaced = 0;
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const { store, seen } = await play(story);
      const now = new Set(rowsNow(store).nodes.map((node) => JSON.stringify(node)));
      for (const [frameNo, then] of seen) {
        expect(await store.rowsAsOf("run", frameNo), `frame ${frameNo}`).toMatchObject(then);
        replaced += then.nodes.filter((node) => !now.has(JSON.stringify(node))).length;
      }
      await store.close();
    }),
    propertyRuns(40),
  );
  expect(replaced).toBeGreaterThan(0);
});
