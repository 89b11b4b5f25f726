import { loadSpec, loadSpecSync, type OpenApiInput } from "./load-spec.js";
import { planOperation } from "./operation-plan.js";
import { indexOperations, type SpecOperation } from "./operations.js";
import { type OpenApiToolsOptions, resolveOptions } from "./options.js";
import { selectOperations } from "./selection.js";
import { asText } from "./spec.js";
import type { OpenApiWarning } from "./warning.js";

/** An operation of a document. */
export interface OperationInfo {
  /** Of the document; made of method and path where it has none. */
  operationId: string;
  /** Upper case. */
  method: string;
  /** Template: `/pets/{petId}`. */
  path: string;
  /** Empty when the document has none. */
  summary: string;
}

/** An operation with the tool it becomes. */
export interface OperationDescription extends OperationInfo {
  /** Key of the tool in the map of tools. */
  toolName: string;
  /** False when the options leave it out. */
  included: boolean;
  /** False when it needs something that tools cannot send, so that every call fails. */
  callable: boolean;
  /** The document says that it should no longer be used. */
  deprecated: boolean;
  /** Parts of the operation that the tool cannot honour. */
  warnings: OpenApiWarning[];
}

/**
 * The operations of a document in its order, without making tools. Takes objects, files and text.
 * @throws OPENAPI_SPEC_LOAD_FAILED when the document cannot be read
 */
export function listOperations(input: OpenApiInput): OperationInfo[] {
  return indexOperations(loadSpecSync(input)).operations.map(toInfo);
}

/**
 * The operations of a document, each with the name of its tool under these options and with what the tool
 * cannot honour. Takes URLs as well; warnings about the document as a whole go to `onWarning`.
 * @throws OPENAPI_SPEC_LOAD_FAILED when the document cannot be read, INVALID_INPUT when the options are
 * not valid
 */
export async function describeOperations(
  input: OpenApiInput,
  options?: OpenApiToolsOptions,
): Promise<OperationDescription[]> {
  const resolved = resolveOptions(options);
  const loaded = await loadSpec(input);
  const { selected, warnings } = selectOperations(indexOperations(loaded), resolved);
  for (const warning of warnings) if (warning.operationId === undefined) resolved.onWarning?.(warning);
  return selected.map(({ operation, toolName, included }) => {
    const plan = planOperation(loaded, operation, resolved);
    return {
      ...toInfo(operation),
      toolName,
      included,
      callable: plan.obstacle === undefined,
      deprecated: operation.operation["deprecated"] === true,
      warnings: [...warnings.filter(({ operationId }) => operationId === operation.id), ...plan.warnings],
    };
  });
}

function toInfo({ id, method, path, operation }: SpecOperation): OperationInfo {
  return { operationId: id, method, path, summary: asText(operation["summary"]) ?? "" };
}
