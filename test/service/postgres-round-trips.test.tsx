import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { createServicePostgres, runWorkflow } from "treadle";
import { createPostgresDatabase, type PostgresDatabase } from "../support/postgres/database.js";

let database: PostgresDatabase;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(() => database.remove());

async function open() {
  const api = await createServicePostgres(
    { row: z.object({ n: z.number() }) },
    { connectionString: database.url },
  );
  onTestFinished(() => api.close());
  return api;
}

type Api = Awaited<ReturnType<typeof open>>;

function sequence({ Workflow, Sequence, Task, outputs, service }: Api, tasks: number) {
  return service(() => (
    <Workflow name="sequence">
      <Sequence>
        {Array.from({ length: tasks }, (_, n) => (
          <Task key={`t${n}`} id={`t${n}`} output={outputs.row}>
            {() => ({ n })}
          </Task>
        ))}
      </Sequence>
    </Workflow>
  ));
}

function loop({ Workflow, Loop, Task, outputs, service }: Api, rounds: number) {
  return service((ctx) => (
    <Workflow name="loop">
      <Loop
        id="rounds"
        until={(ctx.latest(outputs.row, "round")?.n ?? 0) >= rounds}
        maxIterations={Number.POSITIVE_INFINITY}
      >
        <Task id="round" output={outputs.row}>
          {() => ({ n: (ctx.iterations.rounds ?? 0) + 1 })}
        </Task>
      </Loop>
    </Workflow>
  ));
}

interface Wire {
  parse(message: { name?: string; text: string }): void;
  bind(message: { statement?: string }): void;
  sync(): void;
  query(text: string): void;
}

/** Announcements, signs of life and looks at the server's clock follow the clock, and with them new connections. */
const FOLLOWS_CLOCK =
  /pg_notify|SET heartbeat_at_ms = \$1 WHERE|clock_timestamp|pg_backend_pid|lock_timeout|LISTEN/;

/** What goes over connections: a Sync or a query is what the server answers. */
function countMessages() {
  const counts = { roundTrips: 0, statements: 0 };
  const texts = new WeakMap<Wire, Map<string, string>>();
  const sent = new WeakMap<Wire, string[]>();
  const textsOf = (wire: Wire) => {
    if (!texts.has(wire)) texts.set(wire, new Map());
    return texts.get(wire) as Map<string, string>;
  };
  const { prototype } = pg.Connection as unknown as { prototype: Wire };
  const watch = <M extends keyof Wire>(
    method: M,
    note: (wire: Wire, ...args: Parameters<Wire[M]>) => void,
  ) => {
    const original = prototype[method] as (...args: unknown[]) => unknown;
    const spy = vi.spyOn(prototype, method).mockImplementation(function (this: Wire, ...args: unknown[]) {
      note(this, ...(args as Parameters<Wire[M]>));
      return Reflect.apply(original, this, args);
    } as never);
    onTestFinished(() => spy.mockRestore());
  };
  watch("parse", (wire, { name = "", text }) => void textsOf(wire).set(name, text));
  watch("bind", (wire, { statement = "" }) => {
    sent.set(wire, [...(sent.get(wire) ?? []), textsOf(wire).get(statement) ?? ""]);
  });
  watch("query", (_wire, text) => {
    if (FOLLOWS_CLOCK.test(text)) return;
    counts.roundTrips += 1;
    counts.statements += 1;
  });
  watch("sync", (wire) => {
    const statements = sent.get(wire) ?? [];
    sent.delete(wire);
    if (statements.some((text) => FOLLOWS_CLOCK.test(text))) return;
    counts.roundTrips += 1;
    counts.statements += statements.length;
  });
  return counts;
}

/** Of 16; a few more in all come from the nodes of a larger first frame, and from what follows the clock. */
const perUnit = (more: number) => Math.floor(more / 16);

it.each([
  ["a task of a sequence", sequence, 6],
  ["an iteration of a loop", loop, 7],
] as const)(
  "%s is one round trip, with one statement for each table",
  async (_what, workflow, statements) => {
    const counts = countMessages();
    const api = await open();
    const costOf = async (size: number) => {
      const before = { ...counts };
      expect(await runWorkflow(workflow(api, size), { input: {} })).toMatchObject({ status: "finished" });
      return {
        roundTrips: counts.roundTrips - before.roundTrips,
        statements: counts.statements - before.statements,
      };
    };
    // With the first run tables are made.
    await costOf(1);
    const [less, more] = [await costOf(16), await costOf(32)];
    expect({
      roundTrips: perUnit(more.roundTrips - less.roundTrips),
      statements: perUnit(more.statements - less.statements),
    }).toEqual({ roundTrips: 1, statements });
  },
);
