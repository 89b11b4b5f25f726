import { isAbsolute, resolve } from "node:path";
import { refuseOption } from "../../options/check-options.js";
import { runRoot } from "../../engine/index.js";
import type { HotReload } from "../../hot/hot-reload.js";
import type { HotReloadOptions, RunOptions } from "../../model/run-options.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import { systemClock } from "../../util/clock.js";
import { storeOf } from "../request/target.js";

/**
 * Watches the workflow's files for the run that these options start or resume. The caller closes it.
 * @throws INVALID_INPUT when the workflow's file is unknown; HOT_OVERLAY_FAILED
 */
export async function openHotReload(
  workflow: ServiceWorkflow,
  hot: true | HotReloadOptions,
  options: RunOptions,
): Promise<HotReload> {
  const { HotReload } = await import("../../hot/hot-reload.js");
  const { resolveHotOptions } = await import("../../hot/options.js");
  const known =
    options.runId === undefined ? undefined : await (await storeOf(workflow)).getRun(options.runId);
  const root = runRoot({
    ...known?.config,
    ...(options.rootDir !== undefined && { rootDir: options.rootDir }),
  });
  const path = options.workflowPath ?? known?.workflowPath ?? undefined;
  if (path === undefined || !(isAbsolute(path) || options.workflowPath !== undefined)) {
    refuseOption("workflowPath", "the file that the workflow is the default export of, for `hot`", path);
  }
  const setup = { ...resolveHotOptions(hot, root), clock: systemClock };
  return HotReload.open(workflow, resolve(path as string), setup);
}
