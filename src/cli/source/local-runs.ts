import { findRun, followEvents, getNode, listEvents, type Workspace } from "../../operations/index.js";
import { knownRun } from "./known-run.js";
import type { RunSource } from "./run-source.js";

/** The runs of a database. */
export function localRuns({ db, store }: Workspace): RunSource {
  return {
    find: async (reference) => knownRun(await findRun(store, reference)),
    async list(filter) {
      const { listRuns } = await import("../../operations/get-run.js");
      return listRuns(db, filter);
    },
    async inspect(runId) {
      const { inspectRun } = await import("../../operations/read/inspect-run.js");
      return inspectRun(db, runId);
    },
    async explain(runId) {
      const { explainRun } = await import("../../operations/explain-run.js");
      return explainRun(db, runId);
    },
    node: (address) => getNode(db, address),
    events: ({ runId, ...page }) => listEvents(db, runId, page),
    follow: (stream) => followEvents(db, stream),
    async scores(filter) {
      const { listScores } = await import("../../operations/list-scores.js");
      return listScores(db, filter);
    },
    async inbox(filter) {
      const { listInbox } = await import("../../operations/read/list-inbox.js");
      return listInbox([db], filter);
    },
    close: async () => store.close(),
  };
}
