import { closeSync, copyFileSync, openSync, statSync, writeSync } from "node:fs";
import fc from "../support/property-tests.js";
import { expect, it } from "vitest";
import { ServiceError } from "../../src/errors/service-error.js";
import { codeOf, draft, newRun, node, schemas, step } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

const ROWS = 40;

function filled(): string {
  const path = databasePath();
  const store = openStore(path, schemas);
  store.createRun(newRun());
  for (let index = 0; index < ROWS; index += 1) {
    const id = `task-${index}`;
    const row = { text: `the text of task ${index}, `.repeat(8), words: index };
    store.commit(
      step({
        nodes: [node(id, { state: "finished", finishedSeq: index, outputKey: "draft" })],
        outputs: [draft(store, id, row)],
      }),
    );
  }
  store.close();
  return path;
}

function damage(path: string, { at, bytes }: { at: number; bytes: Uint8Array }): string {
  const copy = databasePath();
  copyFileSync(path, copy);
  const file = openSync(copy, "r+");
  writeSync(file, bytes, 0, bytes.length, Math.floor(at * (statSync(copy).size - bytes.length)));
  closeSync(file);
  return copy;
}

/** What a resume reads, in the order in which it does. */
function results(path: string): unknown {
  const store = openStore(path, schemas);
  try {
    store.prepare();
    store.checkIntegrity();
    const runSnapshot = store.loadRun("run-1");
    const rows = runSnapshot?.outputs.map(({ row }) => [row.nodeId, { ...row }]).sort();
    return { input: runSnapshot?.input, rows };
  } finally {
    store.close();
  }
}

it("bytes that the disk has changed never change a result: it is the same or there is an error with a code", () => {
  const path = filled();
  const whole = results(path);
  let refused = 0;
  fc.assert(
    fc.property(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        bytes: fc.uint8Array({ minLength: 1, maxLength: 600 }),
      }),
      (harm) => {
        try {
          expect(results(damage(path, harm))).toEqual(whole);
        } catch (error) {
          if (!ServiceError.is(error)) throw error;
          expect(error.code).not.toBe("INTERNAL_ERROR");
          refused += 1;
        }
      },
    ),
    { numRuns: 120, seed: 11 },
  );
  expect(refused).toBeGreaterThan(0);
});

it("a damaged database is refused before a run continues", async () => {
  const path = filled();
  const page = damage(path, { at: 0.5, bytes: new Uint8Array(4096).fill(7) });
  expect(await codeOf(() => results(page))).toBe("STORAGE_ERROR");
});
