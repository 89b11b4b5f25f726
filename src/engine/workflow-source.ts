import { createElement } from "react";
import type { ZodObject } from "zod";
import { WorkflowRoot } from "../components/WorkflowRoot.js";
import { ServiceError } from "../errors/service-error.js";
import { createExtractor } from "../graph/extract.js";
import type { OutputRegistry, RenderRuntime, ResolvedOutput } from "../model/render-runtime.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { createTreeRenderer } from "../renderer/render-tree.js";
import { outputKeyOfTable } from "../store/tables/drizzle-table.js";
import type { EngineWorkflow, FrameSource, Store } from "./ports.js";

/** A render that changes its own premises this often does not converge. */
const MOST_PASSES = 10;

/** The engine's view of a workflow value. */
export function engineWorkflow(workflow: ServiceWorkflow, store: Store): EngineWorkflow {
  const registry = outputRegistry(workflow, store);
  return {
    createFrameSource: (runtime, onInvalidate) =>
      createFrameSource(workflow, { registry, runtime, onInvalidate }),
    outputKeys: [...(workflow.schemaRegistry?.keys() ?? [])],
    outputKeyOf(target) {
      const resolved = registry.resolveOutput(target);
      if (resolved !== undefined) return resolved.outputKey;
      throw new ServiceError(
        "UNKNOWN_OUTPUT_SCHEMA",
        `${describeTarget(target)} is not an output of this workflow; its outputs are ${[...(workflow.schemaRegistry?.keys() ?? [])].join(", ")}.`,
      );
    },
    workflowHash: workflow.opts.workflowHash ?? null,
    cache: workflow.opts.cache === true,
  };
}

function createFrameSource(
  workflow: ServiceWorkflow,
  parts: { registry: OutputRegistry; runtime: RenderRuntime; onInvalidate: () => void },
): FrameSource {
  const { registry, runtime, onInvalidate } = parts;
  const tree = createTreeRenderer({ onInvalidate });
  const extractor = createExtractor(tree.root, { registry, runtime });
  return {
    render() {
      for (let pass = 0; pass < MOST_PASSES; pass += 1) {
        tree.render(createElement(WorkflowRoot, { build: workflow.build, runtime }));
        const { frame, needsRender } = extractor.extract();
        if (!needsRender) return frame;
      }
      throw new ServiceError(
        "WORKFLOW_RENDER_FAILED",
        `The tree changed in each of ${MOST_PASSES} renders of one frame; loops without an id may be trading places.`,
      );
    },
    dispose: () => tree.dispose(),
  };
}

function outputRegistry(workflow: ServiceWorkflow, store: Store): OutputRegistry {
  const resolved = new Map<string, ResolvedOutput>();
  return {
    resolveOutput(target) {
      const outputKey = outputKeyOf(workflow, target);
      const entry = outputKey === undefined ? undefined : workflow.schemaRegistry?.get(outputKey);
      if (outputKey === undefined || entry === undefined) return undefined;
      const known = resolved.get(outputKey);
      if (known !== undefined) return known;
      const codec = store.codec(outputKey);
      const output = { ...entry, outputKey, tableName: codec.tableName, signature: codec.signature };
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
