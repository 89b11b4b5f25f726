import { databaseMetrics } from "./catalog/database.js";
import { gatewayMetrics } from "./catalog/gateway.js";
import { hostMetrics } from "./catalog/hosts.js";
import { memoryMetrics } from "./catalog/memory.js";
import { processMetrics } from "./catalog/process.js";
import { runMetrics } from "./catalog/runs.js";
import { sandboxMetrics } from "./catalog/sandbox.js";
import { tokenMetrics } from "./catalog/tokens.js";
import { toolMetrics } from "./catalog/tools.js";
import { waitMetrics } from "./catalog/waits.js";

/**
 * Every metric of the process. A key is the metric's name without `service_`, in
 * camelCase: `service_runs_total` is `serviceMetrics.runsTotal`.
 *
 * One for all runs, databases and hosts of a process: the only state that the
 * library keeps in a module. No metric has a label whose values grow with the
 * number of runs.
 */
export const serviceMetrics = Object.freeze({
  ...runMetrics,
  ...waitMetrics,
  ...tokenMetrics,
  ...databaseMetrics,
  ...hostMetrics,
  ...gatewayMetrics,
  ...toolMetrics,
  ...sandboxMetrics,
  ...memoryMetrics,
  ...processMetrics,
});
