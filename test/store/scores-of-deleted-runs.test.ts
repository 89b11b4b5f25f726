import { expect, it, vi } from "vitest";
import type { StoredScore } from "../../src/model/scorer.js";
import { newRun } from "../conformance/store/fixtures.js";
import { databasePath, openStore } from "./support/database.js";

it("scores are kept of a run that is there when they are written, not only when it was looked for", () => {
  const path = databasePath();
  const store = openStore(path, {});
  store.prepare();
  store.createRun(newRun({ runId: "run" }));
  const other = openStore(path, {});
  other.prepare();
  const { port } = store.connection;
  const transaction = port.transaction.bind(port);
  vi.spyOn(port, "transaction").mockImplementationOnce((body, durability) => {
    other.sql.write([{ sql: "DELETE FROM _service_runs", params: [] }]);
    return transaction(body, durability);
  });
  expect(() => store.saveScores("run", [{ id: "score" } as StoredScore])).toThrow(
    expect.objectContaining({ code: "RUN_NOT_FOUND" }),
  );
});
