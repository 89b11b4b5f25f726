import type { Scheduler } from "../../scheduler/index.js";
import type { RunLoad } from "../run-watch.js";

export function loadOf({ queued, view }: Scheduler): RunLoad {
  return { queued, running: view.running.size, slots: view.maxConcurrency };
}
