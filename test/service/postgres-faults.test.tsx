import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createServicePostgres, runWorkflow, ServiceDb } from "treadle";
import { z } from "zod";
import { createPostgresDatabase, type PostgresDatabase, query } from "../support/postgres/database.js";

const schemas = { step: z.object({ n: z.int() }) };
const STEPS = [1, 2, 3, 4];
/** Rows of events that are written before the server fails: the first step is done then. */
const BEFORE = 7;

let database: PostgresDatabase;
beforeEach(async () => {
  database = await createPostgresDatabase();
  onTestFinished(() => void database.remove());
});

async function open() {
  const api = await createServicePostgres(schemas, { connectionString: database.url });
  onTestFinished(() => api.close());
  const { Workflow, Task, service, outputs } = api;
  const executed: number[] = [];
  const workflow = service(() => (
    <Workflow name="steps">
      {STEPS.map((n) => (
        <Task key={n} id={`step-${n}`} output={outputs.step}>
          {() => {
            executed.push(n);
            return { n };
          }}
        </Task>
      ))}
    </Workflow>
  ));
  const { store } = new ServiceDb(workflow.db);
  return { workflow, executed, store };
}

/** The server itself undoes two transactions of the run, one after the other, with this SQLSTATE. */
async function failTwice(state: string): Promise<void> {
  await query(
    database.url,
    `CREATE SEQUENCE written;
     CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('written') BETWEEN ${BEFORE + 1} AND ${BEFORE + 2} THEN
         RAISE EXCEPTION 'as the server has it' USING ERRCODE = '${state}';
       END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER fail BEFORE INSERT ON _service_events FOR EACH ROW EXECUTE FUNCTION fail()`,
  );
}

describe("a run whose commit the server undoes", () => {
  it.each([
    ["a failed serialization", "40001"],
    ["a deadlock", "40P01"],
    ["a lock that is held", "55P03"],
    ["a server that takes no writes yet", "25006"],
  ])("for %s writes it again, and executes nothing twice", async (_why, state) => {
    const { workflow, executed, store } = await open();
    await failTwice(state);
    expect((await runWorkflow(workflow, { runId: "run", input: {} })).status).toBe("finished");
    expect(executed).toEqual(STEPS);
    expect(await store.listOutputs("run", "step")).toEqual(STEPS.map((n) => ({ n })));
  });

  it.each([
    ["a full disk", "53100"],
    ["its statement_timeout", "57014"],
    ["want of memory", "53200"],
  ])("for %s stops with DB_WRITE_FAILED, and continues with what was committed", async (_why, state) => {
    const { workflow, executed, store } = await open();
    await failTwice(state);
    const run = runWorkflow(workflow, { runId: "run", input: {} });
    await expect(run).rejects.toMatchObject({ code: "DB_WRITE_FAILED", details: { sqlState: state } });
    const kept = await store.listOutputs("run", "step");
    const executedBefore = executed.length;
    expect((await runWorkflow(workflow, { runId: "run", resume: true })).status).toBe("finished");
    expect(executed.slice(executedBefore)).toEqual(STEPS.slice(kept.length));
    expect(await store.listOutputs("run", "step")).toEqual(STEPS.map((n) => ({ n })));
    const finished = (await store.listEvents("run", { limit: 1_000 })).flatMap(({ event }) =>
      event.type === "NodeFinished" ? [event.nodeId] : [],
    );
    expect(finished).toEqual(STEPS.map((n) => `step-${n}`));
  });
});
