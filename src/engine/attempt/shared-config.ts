import type { RunConfig } from "../../model/run-config.js";
import type { TaskRuntime } from "../../model/task.js";
import { frozenCopy } from "../../util/frozen-copy.js";

const sharedConfigs = new WeakMap<RunConfig, TaskRuntime["config"]>();

/** The author's options of a run, the same for all its tasks. */
export function sharedConfig(config: RunConfig): TaskRuntime["config"] {
  const known = sharedConfigs.get(config);
  if (known !== undefined) return known;
  const shared = frozenCopy(config.config ?? {});
  sharedConfigs.set(config, shared);
  return shared;
}
