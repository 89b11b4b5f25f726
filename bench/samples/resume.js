import { runWorkflow } from "treadle";
import { sequence } from "../workflows.js";
import { report } from "./report.js";

// node bench/samples/resume.js DATABASE RUN: from the call that resumes the run to its first task.
const [path, runId] = process.argv.slice(2);
const workflow = sequence(1_000, path, () => {
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  report({ ms, cpuMs: (user + system) / 1000 });
  process.exit();
});
const cpu = process.cpuUsage();
const start = performance.now();
await runWorkflow(workflow, { runId, resume: true });
