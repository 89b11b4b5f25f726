import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { runWorkflow, signalRun } from "../../../src/index.js";
import { type FeedItem, RunFeeds } from "../../../src/operations/read/run-feeds.js";
import { createSqliteDb } from "../../../src/store/create-sqlite-db.js";
import { ServiceDb } from "../../../src/store/service-db.js";
import { openScene } from "../../support/engine/scene.js";

const schemas = { go: z.object({ n: z.number() }), output: z.object({ text: z.string() }) };

/** A run that waits for a signal and then writes as many rows as the signal says. */
function waiting() {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Signal, Task, Parallel, outputs, service } = scene.api;
  const workflow = service((ctx) => {
    const n = ctx.latest("go", "go")?.n ?? 0;
    return (
      <Workflow name="waiting">
        <Sequence>
          <Signal id="go" schema={outputs.go} />
          <Parallel>
            {Array.from({ length: n }, (_, index) => (
              <Task key={index} id={`t${index}`} output={outputs.output}>
                {{ text: "x" }}
              </Task>
            ))}
          </Parallel>
        </Sequence>
      </Workflow>
    );
  });
  const goOn = async (n: number) => {
    await signalRun(workflow, { runId: "run", signal: "go", data: { n } });
    await runWorkflow(workflow, { runId: "run", resume: true });
  };
  return { ...scene, workflow, db: new ServiceDb(workflow.db), goOn };
}

function reading(feeds: RunFeeds, db: ServiceDb, afterSeq = -1) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const found: FeedItem[] = [];
  const read = async () => {
    for await (const items of feeds.read(db, { runId: "run", afterSeq, signal: stop.signal })) {
      found.push(...items);
    }
    return found;
  };
  return { found, stop, all: read() };
}

const seqs = (items: readonly FeedItem[]) => items.map(({ seq }) => seq);
const upTo = (count: number, from = 0) => Array.from({ length: count - from }, (_, index) => index + from);

describe("the event logs of runs, read by many", () => {
  it("give each reader every event after his own number, once and in order, and end with the run", async () => {
    const { workflow, db, goOn } = waiting();
    await runWorkflow(workflow, { runId: "run", input: {} });
    const feeds = new RunFeeds();
    const readers = [-1, 0, 2].map((afterSeq) => ({ afterSeq, ...reading(feeds, db, afterSeq) }));
    // More than is kept at hand, so that those who are slow continue in the database.
    await goOn(400);
    const { nextSeq } = (await db.store.getRun("run")) ?? { nextSeq: 0 };
    expect(nextSeq).toBeGreaterThan(600);
    for (const { afterSeq, all } of readers) expect(seqs(await all)).toEqual(upTo(nextSeq, afterSeq + 1));
    expect(seqs(await reading(feeds, db, 3).all)).toEqual(upTo(nextSeq, 4));
    expect(await reading(feeds, db, nextSeq).all).toEqual([]);
  });

  it("continue for the others when one reader leaves, and for one who comes back", async () => {
    const { workflow, db, goOn } = waiting();
    await runWorkflow(workflow, { runId: "run", input: {} });
    const feeds = new RunFeeds();
    const first = reading(feeds, db);
    const second = reading(feeds, db);
    await expect.poll(() => first.found.length).toBeGreaterThan(2);
    first.stop.abort();
    const back = reading(feeds, db, seqs(await first.all).at(-1));
    await goOn(3);
    const { nextSeq } = (await db.store.getRun("run")) ?? { nextSeq: 0 };
    expect(seqs(await second.all)).toEqual(upTo(nextSeq));
    expect(seqs([...first.found, ...(await back.all)])).toEqual(upTo(nextSeq));
  });

  it("are read once for all readers, and looked after while there is one", async () => {
    const { workflow, db, goOn } = waiting();
    await runWorkflow(workflow, { runId: "run", input: {} });
    let listeners = 0;
    const listen = db.store.onChange.bind(db.store);
    db.store.onChange = (listener) => {
      listeners += 1;
      const forget = listen(listener);
      return () => {
        listeners -= 1;
        forget();
      };
    };
    const feeds = new RunFeeds();
    const readers = Array.from({ length: 20 }, () => reading(feeds, db));
    await expect.poll(() => readers.every(({ found }) => found.length > 2)).toBe(true);
    expect(listeners).toBe(1);
    for (const { stop } of readers.slice(1)) stop.abort();
    await goOn(1);
    await readers[0]?.all;
    expect(listeners).toBe(0);
  });

  it("bring what another handle of this process commits without a look at the database", async () => {
    const { workflow, path, goOn } = waiting();
    await runWorkflow(workflow, { runId: "run", input: {} });
    const handle = createSqliteDb({ path, schemas });
    onTestFinished(() => handle.store.close());
    const here = reading(new RunFeeds({ pollMs: 0 }), new ServiceDb(handle.store));
    await goOn(1);
    expect((await here.all).at(-1)?.type).toBe("RunFinished");
  });

  it("are refused of a run that is not there", async () => {
    const { db, workflow } = waiting();
    await runWorkflow(workflow, { runId: "other", input: {} });
    await expect(reading(new RunFeeds(), db).all).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });

  it("are read in pages of a bounded size, which is what a slow reader holds", async () => {
    const scene = openScene({ output: z.object({ text: z.string() }) });
    const { Workflow, Parallel, Task, outputs, service } = scene.api;
    const workflow = service(() => (
      <Workflow name="talks">
        <Parallel>
          {Array.from({ length: 12 }, (_, index) => (
            <Task key={index} id={`t${index}`} output={outputs.output}>
              {(_deps: unknown, { log }: { log(text: string): void }) => {
                log("x".repeat(190_000));
                return { text: "done" };
              }}
            </Task>
          ))}
        </Parallel>
      </Workflow>
    ));
    await scene.run(workflow);
    const signal = new AbortController().signal;
    const sizes: number[] = [];
    const found: FeedItem[] = [];
    const feeds = new RunFeeds();
    const request = { runId: "run", afterSeq: -1, signal };
    for await (const items of feeds.read(new ServiceDb(workflow.db), request)) {
      sizes.push(items.reduce((sum, { json }) => sum + json.length, 0));
      found.push(...items);
    }
    expect(seqs(found)).toEqual(upTo((await scene.store.getRun("run"))?.nextSeq ?? 0));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(2_000_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_048_576);
  });
});
