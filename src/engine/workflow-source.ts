import type { ZodObject } from "zod";
import { ServiceError } from "../errors/service-error.js";
import { createFrameRenderer } from "../frames/frame-renderer.js";
import { COMPOSITE_ROWS } from "../model/composite-rows.js";
import { keysSharing } from "../model/context-view.js";
import type { OutputRegistry, ResolvedOutput } from "../model/render-runtime.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { outputKeyOfTable } from "../store/index.js";
import { resolveAlertPolicy } from "./alerts/rules.js";
import type { EngineWorkflow, Store } from "./ports.js";

/** The engine's view of a workflow value. */
export function engineWorkflow(workflow: ServiceWorkflow, store: Store): EngineWorkflow {
  const registry = outputRegistry(workflow, store);
  return {
    createFrameSource: (runtime, { onInvalidate, after }) =>
      createFrameRenderer({ build: workflow.build, runtime, registry, onInvalidate, after }),
    outputKeys: [...(workflow.schemaRegistry?.keys() ?? [])],
    outputKeyOf(target) {
      const resolved = registry.resolveOutput(target);
      if (resolved !== undefined) return resolved.outputKey;
      const sharing = registry.keysSharing(target);
      if (sharing.length > 0) {
        throw new ServiceError(
          "UNKNOWN_OUTPUT_SCHEMA",
          `The given schema object stands under ${sharing.join(" and ")}: say outputs.${sharing[0]}, or the key, of the one that is meant.`,
        );
      }
      throw new ServiceError(
        "UNKNOWN_OUTPUT_SCHEMA",
        `${describeTarget(target)} is not an output of this workflow; its outputs are ${[...(workflow.schemaRegistry?.keys() ?? [])].join(", ")}.`,
      );
    },
    workflowHash: workflow.opts.workflowHash ?? null,
    cache: workflow.opts.cache === true,
    limits: workflow.limits ?? {},
    alertRules: resolveAlertPolicy(workflow.opts.alertPolicy, workflow.opts.alertHandlers),
    modules: workflow.opts.workflowModules ?? [],
    loaded: workflow.opts.workflowLoaded ?? null,
    alertHandlers: workflow.opts.alertHandlers ?? {},
  };
}

function outputRegistry(workflow: ServiceWorkflow, store: Store): OutputRegistry {
  const resolved = new Map<string, ResolvedOutput>();
  return {
    limitNames: Object.keys(workflow.limits ?? {}),
    keysSharing: (target) => keysSharing(workflow, target),
    resolveOutput(target) {
      const outputKey = outputKeyOf(workflow, target);
      if (outputKey === undefined) return undefined;
      const entry = workflow.schemaRegistry?.get(outputKey);
      if (entry === undefined && outputKey !== COMPOSITE_ROWS) return undefined;
      const known = resolved.get(outputKey);
      if (known !== undefined) return known;
      const { schema, tableName, signature } = store.codec(outputKey);
      const output = { table: null, zodSchema: schema, ...entry, outputKey, tableName, signature };
      resolved.set(outputKey, output);
      return output;
    },
  };
}

function outputKeyOf(workflow: ServiceWorkflow, target: unknown): string | undefined {
  if (typeof target === "string") return target;
  return workflow.zodToKeyName?.get(target as ZodObject) ?? outputKeyOfTable(target);
}

function describeTarget(target: unknown): string {
  return typeof target === "string" ? JSON.stringify(target) : `The given ${typeof target}`;
}
