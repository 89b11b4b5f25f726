import { expect, it } from "vitest";
import { z } from "zod";
import type { SchemaMap } from "../../src/model/schema.js";
import { deriveTables } from "../../src/store/tables/derive-tables.js";
import { newRun, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

const report = z.object({ title: z.string() });
const extra = z.object({ n: z.string() });

const outputs = (schemas: SchemaMap) => deriveTables(schemas).outputs;

it("outputs that do not fit the rows of one workflow of a handle are declared for none of them, nor is a table made", () => {
  const path = databasePath();
  const former = openStore(path, { extra });
  former.createRun(newRun({ input: {}, workflowName: "second" }));
  const columns = former.codec("extra").encode({ n: "text" });
  former.commit(step({ outputs: [{ outputKey: "extra", nodeId: "a", iteration: 0, columns }] }));
  former.close();

  const store = openStore(path, { report });
  for (const workflowName of ["first", "second"]) {
    store.createRun(newRun({ input: {}, runId: workflowName, workflowName }));
  }
  const before = store.listOutputTables();
  const more = outputs({ another: report, extra: z.object({ n: z.int() }) });
  expect(() => store.declareOutputs(more)).toThrow(expect.objectContaining({ code: "DB_SCHEMA_CONFLICT" }));
  expect(store.listOutputTables()).toEqual(before);
  expect(() => store.codec("another")).toThrow(expect.objectContaining({ code: "UNKNOWN_OUTPUT_SCHEMA" }));

  store.declareOutputs(outputs({ another: report, extra }));
  const row = { outputKey: "another", nodeId: "a", iteration: 0 };
  const lease = { ...step().lease, runId: "second" };
  store.commit(
    step({ lease, outputs: [{ ...row, columns: store.codec("another").encode({ title: "t" }) }] }),
  );
  expect(store.getOutput("second", "another", "a", 0)).toEqual({ title: "t" });
});
