import { runWorkflow, ServiceError } from "treadle";
import { sequence } from "../workflows.js";
import { report } from "./report.js";

// node bench/samples/half-run.js DATABASE: leaves a run of 1,000 tasks there that was stopped after 500.
const stop = new AbortController();
let done = 0;
const { runId } = await runWorkflow(sequence(1_000, process.argv[2]), {
  input: {},
  signal: stop.signal,
  onProgress(event) {
    if (event.type !== "NodeFinished") return;
    done += 1;
    if (done === 500) stop.abort(new ServiceError("PROCESS_ABORTED", "half is enough"));
  },
});
report({ runId });
