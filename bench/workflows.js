import { randomBytes } from "node:crypto";
import { createService, runWorkflow } from "treadle";
import { jsx } from "treadle/jsx-runtime";
import { z } from "zod";

const range = (count) => Array.from({ length: count }, (_, index) => index);

function service(dbPath) {
  const row = z.object({ n: z.number() });
  return createService({ row, output: z.object({ total: z.number() }) }, { dbPath });
}

/** `count` tasks of 20 ms, one after the other. */
export function slowly(count, dbPath) {
  const { Workflow, Sequence, Task, outputs, service: wrap } = service(dbPath);
  const run = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { n: 1 };
  };
  const tasks = range(count).map((n) => jsx(Task, { id: `t${n}`, output: outputs.row, children: run }, n));
  return wrap(() => jsx(Workflow, { name: "slowly", children: jsx(Sequence, { children: tasks }) }));
}

/** `count` no-op tasks, one after the other; each calls `onTask` first. */
export function sequence(count, dbPath, onTask = () => {}) {
  const { Workflow, Sequence, Task, outputs, service: wrap } = service(dbPath);
  return wrap(() =>
    jsx(Workflow, {
      name: "sequence",
      children: jsx(Sequence, {
        children: range(count).map((n) => {
          const run = async () => {
            onTask();
            return { n };
          };
          return jsx(Task, { id: `task-${n}`, output: outputs.row, children: run }, n);
        }),
      }),
    }),
  );
}

/** `count` static rows in parallel groups of 100, one group after the other. */
export function grouped(count, dbPath) {
  const { Workflow, Sequence, Parallel, Task, outputs, service: wrap } = service(dbPath);
  const task = (n) => jsx(Task, { id: `t-${n}`, output: outputs.row, children: { n } }, n);
  const group = (first) =>
    jsx(Parallel, { id: `group-${first / 100}`, children: range(100).map((n) => task(first + n)) }, first);
  return wrap(() =>
    jsx(Workflow, {
      name: "grouped",
      children: jsx(Sequence, { children: range(count / 100).map((n) => group(n * 100)) }),
    }),
  );
}

/** As `sequence`, each task with one cheap scorer. */
export function scoredSequence(count, dbPath) {
  const { Workflow, Sequence, Task, outputs, service: wrap } = service(dbPath);
  return wrap(() =>
    jsx(Workflow, {
      name: "scored-sequence",
      children: jsx(Sequence, {
        children: range(count).map((n) =>
          jsx(Task, { id: `task-${n}`, output: outputs.row, scorers, children: async () => ({ n }) }, n),
        ),
      }),
    }),
  );
}

const scorers = {
  cheap: {
    scorer: {
      id: "cheap",
      name: "Cheap",
      description: "Says the same of everything.",
      score: async () => ({ score: 1 }),
    },
  },
};

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

/** `count` rows of a megabyte, in hexadecimal digits, one after the other; each frame reads the newest. */
export function heavySequence(count, dbPath) {
  const schemas = { row: z.object({ text: z.string() }), output: z.object({ total: z.number() }) };
  const { Workflow, Sequence, Task, outputs, service: wrap } = createService(schemas, { dbPath });
  const task = (n) =>
    jsx(
      Task,
      {
        id: `task-${n}`,
        output: outputs.row,
        children: async () => ({ text: randomBytes(2 ** 19).toString("hex") }),
      },
      n,
    );
  return wrap((ctx) => {
    const newest = range(count).findLast((n) => ctx.latest(outputs.row, `task-${n}`) !== undefined);
    return jsx(Workflow, {
      name: "heavy",
      children: [
        jsx(Sequence, { children: range(count).map(task) }, "all"),
        jsx(Task, { id: "end", output: outputs.output, children: { total: newest ?? 0 } }, "end"),
      ],
    });
  });
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

/** As `readsEverything`, and the label of every task changes with every completion. */
export function changingLabels(count, dbPath) {
  const { Workflow, Sequence, Task, outputs, service: wrap } = service(dbPath);
  return wrap((ctx) => {
    const done = ctx.outputs.row.length;
    return jsx(Workflow, {
      name: "changing-labels",
      children: jsx(Sequence, {
        children: range(count).map((n) =>
          jsx(
            Task,
            { id: `task-${n}`, label: `${n}, ${done} done`, output: outputs.row, children: () => ({ n }) },
            n,
          ),
        ),
      }),
    });
  });
}

/** `count` iterations of one task, which ends by the newest row. */
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

/** Runs a workflow to its end. */
export async function finish(workflow) {
  const { status, error } = await runWorkflow(workflow, { input: {}, maxConcurrency: 1000 });
  if (status !== "finished") throw new Error(`the run ended ${status}: ${JSON.stringify(error)}`);
}

/** Workflows by the name that a sample is started with, made for the database at `path`. */
export const named = {
  sequence: (path) => sequence(1_000, path),
  "scored sequence": (path) => scoredSequence(1_000, path),
  loop: (path) => loop(1_000, path),
  "fan-out, cap 4": (path) => fanOut(1_000, path, 4),
  "fan-out, cap 64": (path) => fanOut(1_000, path, 64),
  "changing labels": (path) => changingLabels(1_000, path),
  "reads everything": (path) => readsEverything(1_000, path),
  "20 rows of a megabyte": (path) => heavySequence(20, path),
  "200 rows of a megabyte": (path) => heavySequence(200, path),
  "10,000 static tasks": (path) => staticSequence(10_000, path),
  "loop of 1,000 in runs of 100": (path) => loop(1_000, path, 100),
  "loop of 10,000 in runs of 100": (path) => loop(10_000, path, 100),
};

/** Workflows whose cost per task is compared at two sizes. */
export const growing = { static: staticSequence, deps: depsSequence };
