import { scratch } from "../scratch.js";
import { median } from "../measure.js";
import { finish, growing } from "../workflows.js";
import { report, timed } from "./report.js";

// node bench/samples/growth.js WORKFLOW: cost per task at 100 and at 10,000 tasks, warmed up.
const make = growing[process.argv[2]];

async function perTaskMs(tasks) {
  const folder = scratch();
  const { ms } = await timed(() => finish(make(tasks, folder.path)));
  folder.dispose();
  return ms / tasks;
}

async function medianOf(repeat, tasks) {
  const values = [];
  for (let round = 0; round < repeat; round += 1) values.push(await perTaskMs(tasks));
  return median(values);
}

await perTaskMs(1_000);
const smallPerTaskMs = await medianOf(15, 100);
const largePerTaskMs = await medianOf(3, 10_000);
report({ ratio: largePerTaskMs / smallPerTaskMs, smallPerTaskMs, largePerTaskMs });
