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
  const exclusive = port.exclusive.bind(port);
  vi.spyOn(port, "exclusive").mockImplementationOnce((body, durability) => {
    other.connection.port.exclusive(() => other.connection.use().db.exec("DELETE FROM _service_runs"));
    return exclusive(body, durability);
  });
  expect(() => store.saveScores("run", [{ id: "score" } as StoredScore])).toThrow(
    expect.objectContaining({ code: "RUN_NOT_FOUND" }),
  );
});
