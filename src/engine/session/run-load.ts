import type { SchedulerState } from "../../scheduler/state.js";
import type { RunLoad } from "../ports.js";

export function loadOf({ graph, running, maxConcurrency }: SchedulerState): RunLoad {
  let queued = graph.ready.size;
  for (const group of graph.caps) queued += group.waiting.size;
  return { queued, running: running.size, slots: maxConcurrency };
}
