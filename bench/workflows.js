import { createService } from "treadle";
import { jsx } from "treadle/jsx-runtime";
import { z } from "zod";

const range = (count) => Array.from({ length: count }, (_, index) => index);

function service(dbPath) {
  const row = z.object({ n: z.number() });
  return createService({ row, output: z.object({ total: z.number() }) }, { dbPath });
}

/** `count` no-op tasks, one after the other. */
export function sequence(count, dbPath) {
  const { Workflow, Sequence, Task, outputs, service: wrap } = service(dbPath);
  return wrap(() =>
    jsx(Workflow, {
      name: "sequence",
      children: jsx(Sequence, {
        children: range(count).map((n) =>
          jsx(Task, { id: `task-${n}`, output: outputs.row, children: async () => ({ n }) }, n),
        ),
      }),
    }),
  );
}

/** Static rows, one after the other. */
export function staticSequence(count, dbPath) {
  const { Workflow, Sequence, Task, outputs, service: wrap } = service(dbPath);
  return wrap(() =>
    jsx(Workflow, {
      name: "static",
      children: jsx(Sequence, {
        children: range(count).map((n) =>
          jsx(Task, { id: `task-${n}`, output: outputs.row, children: { n } }, n),
        ),
      }),
    }),
  );
}

/** Each task takes the row of the one before it. */
export function depsSequence(count, dbPath) {
  const { Workflow, Sequence, Task, outputs, service: wrap } = service(dbPath);
  return wrap(() =>
    jsx(Workflow, {
      name: "deps",
      children: jsx(Sequence, {
        children: range(count).map((n) =>
          jsx(
            Task,
            n === 0
              ? { id: "task-0", output: outputs.row, children: { n: 0 } }
              : {
                  id: `task-${n}`,
                  output: outputs.row,
                  deps: { before: outputs.row },
                  needs: { before: `task-${n - 1}` },
                  children: ({ before }) => ({ n: before.n + 1 }),
                },
            n,
          ),
        ),
      }),
    }),
  );
}

/** `count` tasks beside each other and a join. */
export function fanOut(count, dbPath, cap) {
  const { Workflow, Sequence, Parallel, Task, outputs, service: wrap } = service(dbPath);
  return wrap((ctx) =>
    jsx(Workflow, {
      name: "fan-out",
      children: jsx(Sequence, {
        children: [
          jsx(
            Parallel,
            {
              maxConcurrency: cap,
              children: range(count).map((n) =>
                jsx(Task, { id: `task-${n}`, output: outputs.row, children: async () => ({ n }) }, n),
              ),
            },
            "fan",
          ),
          jsx(
            Task,
            {
              id: "join",
              output: outputs.output,
              children: () => ({ total: ctx.outputs.row.length }),
            },
            "join",
          ),
        ],
      }),
    }),
  );
}

/** The root reads every row, so that each completion renders the whole tree. */
export function readsEverything(count, dbPath) {
  const { Workflow, Sequence, Task, outputs, service: wrap } = service(dbPath);
  return wrap((ctx) => {
    const total = ctx.outputs.row.reduce((sum, row) => sum + row.n, 0);
    return jsx(Workflow, {
      name: "reads-everything",
      children: jsx(Sequence, {
        children: range(count).map((n) =>
          jsx(Task, { id: `task-${n}`, output: outputs.row, children: () => ({ n: total - total + n }) }, n),
        ),
      }),
    });
  });
}

/** `count` iterations of one task. */
export function loop(count, dbPath, continueAsNewEvery) {
  const { Workflow, Loop, Task, outputs, service: wrap } = service(dbPath);
  return wrap((ctx) =>
    jsx(Workflow, {
      name: "loop",
      children: jsx(Loop, {
        id: "rounds",
        until: (ctx.latest(outputs.row, "round")?.n ?? 0) >= count,
        maxIterations: Number.POSITIVE_INFINITY,
        ...(continueAsNewEvery === undefined ? {} : { continueAsNewEvery }),
        children: jsx(Task, {
          id: "round",
          output: outputs.row,
          children: () => ({ n: ctx.iterations.rounds + 1 }),
        }),
      }),
    }),
  );
}
