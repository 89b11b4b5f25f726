import { expect, it } from "vitest";
import { flow, openHotScene, task } from "./support/hot-scene.js";

const SCHEMA = "score: z.number().min(1), kind: z.enum(['a', 'b']), at: z.date().optional()";
const withScores = (fields: string, rest = "") =>
  flow({ schemas: `{ out: row(), review: z.object({ ${fields} })${rest} }`, after: task("last", '"x"') });

it.each([
  ["a bound", SCHEMA.replace("min(1)", "min(5)"), "review.score", "number (minimum 1)", "number (minimum 5)"],
  ["a type", SCHEMA.replace("number().min(1)", "string()"), "review.score", "number (minimum 1)", "string"],
  [
    "a field that is gone",
    SCHEMA.replace(", at: z.date().optional()", ""),
    "review.at",
    /optional/,
    "absent",
  ],
  ["a new field", `${SCHEMA}, more: z.boolean()`, "review.more", "absent", "boolean"],
  [
    "an optional field that is needed now",
    SCHEMA.replace(".optional()", ""),
    "review.at",
    /optional/,
    /date/,
  ],
  [
    "a check of one's own",
    SCHEMA.replace("min(1)", "min(1).refine((n) => n < 9)"),
    "review.score",
    "number (minimum 1)",
    /check/,
  ],
])("%s is refused, field, old and new by name", async (_what, fields, field, old, is) => {
  const scene = await openHotScene({ "flow.tsx": withScores(SCHEMA) });
  await scene.start();
  scene.save("flow.tsx", withScores(fields));
  const { error, reason } = await scene.next("WorkflowReloadUnsafe");
  expect(error.code).toBe("SCHEMA_CHANGE_HOT");
  expect(error.details).toMatchObject({ field });
  expect((error.details as Record<string, unknown>)["old"]).toMatch(old);
  expect((error.details as Record<string, unknown>)["new"]).toMatch(is);
  expect(reason).toContain(field);
  expect(scene.all("WorkflowReloaded")).toEqual([]);
  scene.save("flow.tsx", withScores(SCHEMA));
  await scene.next("WorkflowReloaded");
  expect((await scene.finish()).status).toBe("finished");
});

it("an output that is gone, a limit and a database of their own are refused as well", async () => {
  const scene = await openHotScene({ "flow.tsx": withScores(SCHEMA) });
  await scene.start();
  const options = "{ limits: { api: { concurrency: 2 } }, dbPath: 'other.db' }";
  scene.save("flow.tsx", flow({ schemas: `{ out: row(), extra: row() }`, options }));
  const { error } = await scene.next("WorkflowReloadUnsafe");
  const fields = ((error.details as Record<string, unknown>)["changes"] as { field: string }[]).map(
    ({ field }) => field,
  );
  expect(fields).toEqual(expect.arrayContaining(["review", "dbPath", "limits.api"]));
  expect(fields).not.toContain("extra");
});

it("what changes no table and refuses no row is no change of a schema", async () => {
  const scene = await openHotScene({ "flow.tsx": withScores(SCHEMA) });
  await scene.start();
  const fields = `at: z.date().optional().describe("when"), kind: z.enum(["b", "a"]).meta({ title: "Kind" }), score: z.number().min(1)`;
  scene.save("flow.tsx", withScores(fields));
  await scene.next("WorkflowReloaded");
  expect((await scene.finish()).status).toBe("finished");
});
