import type { RunConfig } from "../../model/run-config.js";
import type { ToolContextOptions } from "../../tools/tool-context.js";

type ToolLimits = Pick<
  ToolContextOptions,
  "allowNetwork" | "toolIsolation" | "writable" | "maxOutputBytes" | "toolTimeoutMs"
>;

/** Limits of a run's tools, from its options. */
export function toolLimits(config: RunConfig): ToolLimits {
  const { allowNetwork, toolIsolation, writable, maxOutputBytes, toolTimeoutMs } = config;
  return {
    ...(allowNetwork !== undefined && { allowNetwork }),
    ...(toolIsolation !== undefined && { toolIsolation }),
    ...(writable !== undefined && { writable }),
    ...(maxOutputBytes !== undefined && { maxOutputBytes }),
    ...(toolTimeoutMs !== undefined && { toolTimeoutMs }),
  };
}
