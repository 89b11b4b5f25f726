import type { ZodObject } from "zod";
import { keysSharing } from "../../model/context-view.js";
import type { ResolvedOutput } from "../../model/render-runtime.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { Site } from "../element-rule.js";
import { frameError } from "../frame-error.js";
import { invalid } from "../props.js";
import { embeddedKey } from "../ancestor-context.js";

/** Fills the output fields from the props `output` and `outputSchema`. @returns the schema's signature. */
export function describeOutput(site: Site, task: TaskDescriptor): string {
  const target = site.element.props["output"];
  if (target === undefined || target === null) {
    throw frameError("TASK_MISSING_OUTPUT", site.element, "has no output.");
  }
  return setOutput(task, resolveOutput(site, target, "output"), readSchema(site));
}

export function setOutput(task: TaskDescriptor, output: ResolvedOutput, schema?: ZodObject): string {
  task.outputTable = output.table;
  task.outputTableName = output.tableName;
  task.outputKey = output.outputKey;
  task.outputRef = output.zodSchema;
  task.outputSchema = schema ?? output.zodSchema;
  return output.signature;
}

/** In an inline subflow a target of its workflow means this workflow's output of the same key. */
export function resolveOutput(site: Site, target: unknown, prop: string): ResolvedOutput {
  const { element, extraction, around } = site;
  const own = extraction.registry.resolveOutput(target);
  if (own !== undefined) return own;
  const key = embeddedKey(around, target);
  const output = key === undefined ? undefined : extraction.registry.resolveOutput(key);
  if (output !== undefined) return output;
  if (key !== undefined) {
    throw frameError(
      "UNKNOWN_OUTPUT_SCHEMA",
      element,
      `writes to the output ${JSON.stringify(key)} of an inline subflow (prop ${prop}), whose rows are kept by the workflow around it: give that an output ${JSON.stringify(key)} of the same schema, or use mode="childRun".`,
    );
  }
  const sharing = [
    extraction.registry.keysSharing(target),
    ...around.workflows.map((each) => keysSharing(each, target)),
  ];
  const keys = sharing.find((each) => each.length > 0);
  if (keys !== undefined) {
    throw frameError(
      "UNKNOWN_OUTPUT_SCHEMA",
      element,
      `has in its prop ${prop} a schema object that stands under ${keys.join(" and ")}: give it outputs.${keys[0]}, or the key, of the one that is meant.`,
    );
  }
  const named = typeof target === "string" ? ` ${JSON.stringify(target)}` : "";
  throw frameError("UNKNOWN_OUTPUT_SCHEMA", element, `has an unknown output${named} in its prop ${prop}.`);
}

function readSchema({ element }: Site): ZodObject | undefined {
  const schema = element.props["outputSchema"];
  if (schema === undefined || schema === null) return undefined;
  if (typeof (schema as { safeParse?: unknown }).safeParse !== "function") {
    throw invalid(element, "outputSchema", "a zod object schema");
  }
  return schema as ZodObject;
}
