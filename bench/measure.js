import { runWorkflow } from "treadle";
import { measureFloor, scratch } from "./floor.js";

/** The middle of an odd number of repetitions. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Runs a workflow to its end and returns milliseconds and bytes on disk. */
export async function timeRun(make, options = {}) {
  const folder = scratch();
  try {
    const workflow = make(folder.path);
    const start = performance.now();
    const result = await runWorkflow(workflow, { input: {}, maxConcurrency: 1000, ...options });
    const elapsed = performance.now() - start;
    if (result.status !== "finished")
      throw new Error(`the run ended ${result.status}: ${JSON.stringify(result.error)}`);
    return { elapsed, bytes: folder.bytes(), result };
  } finally {
    folder.dispose();
  }
}

/** Ours and the floor in turn, so that both see the same machine; the median of the paired ratios. */
export async function compare(tasks, make, { repeat = 5, options } = {}) {
  const ratios = [];
  const ours = [];
  const floor = [];
  let bytes = 0;
  for (let round = 0; round < repeat; round += 1) {
    const raw = measureFloor(tasks);
    const run = await timeRun(make, options);
    ratios.push(run.elapsed / raw);
    ours.push(run.elapsed / tasks);
    floor.push(raw / tasks);
    bytes = run.bytes;
  }
  return {
    ratio: median(ratios),
    perTaskMs: median(ours),
    floorPerTaskMs: median(floor),
    bytesPerTask: Math.round(bytes / tasks),
  };
}
