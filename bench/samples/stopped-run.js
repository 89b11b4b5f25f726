import { runWorkflow, ServiceError } from "treadle";
import { sequence } from "../workflows.js";
import { report } from "./report.js";

// node bench/samples/stopped-run.js DATABASE DONE: leaves a run of 1,000 tasks there that was stopped after so many.
const [path, after] = process.argv.slice(2);
const stop = new AbortController();
let done = 0;
const { runId } = await runWorkflow(sequence(1_000, path), {
  input: {},
  signal: stop.signal,
  onProgress(event) {
    if (event.type !== "NodeFinished") return;
    done += 1;
    if (done === Number(after)) stop.abort(new ServiceError("PROCESS_ABORTED", "enough of it"));
  },
});
report({ runId });
