import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PgliteStore } from "../../../src/store/pglite/store.js";
import { deriveTables } from "../../../src/store/tables/derive-tables.js";
import { codeOf, draft, firstLease, newRun, schemas, step } from "../../conformance/store/fixtures.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const tables = () => deriveTables(schemas);

it("a folder of PGlite keeps runs for the next process, and is open in one process at a time", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const first = new PgliteStore(dataDir, tables());
  await first.createRun(newRun());
  await first.commit(step({ outputs: [draft(first, "a", { text: "\0 and \u00010", words: 2 })] }));
  expect(await first.releaseLease(firstLease)).toBe(true);
  await first.close();

  // A process that lives: the one that runs the tests.
  writeFileSync(`${dataDir}.lock`, String(process.ppid));
  const refused = new PgliteStore(dataDir, tables());
  expect(await codeOf(() => refused.prepare())).toBe("DB_BUSY");
  writeFileSync(`${dataDir}.lock`, "999999999");

  const second = new PgliteStore(dataDir, tables());
  expect(await second.getOutput("run-1", "draft", "a", 0)).toEqual({ text: "\0 and \u00010", words: 2 });
  await second.close();
});
