import { ServiceError } from "../errors/service-error.js";
import { type LoadedSpec, loadSpec, loadSpecSync, type OpenApiInput } from "./load-spec.js";
import { wrongOption } from "../options/check-options.js";
import { planOperation } from "./operation-plan.js";
import { indexOperations, type SpecOperation } from "./operations.js";
import { type OpenApiToolsOptions, type ResolvedOptions, resolveOptions } from "./options.js";
import { selectOperations } from "./selection.js";
import { serverUrlOf } from "./server-url.js";
import { type OpenApiTool, toTool } from "./tool.js";

/**
 * One tool per operation of an OpenAPI 3.0 or 3.1 document, by tool name: the operation id, or the
 * curated `name`, behind `namePrefix`, made fit for model providers.
 * @throws OPENAPI_SPEC_LOAD_FAILED when the document cannot be read, INVALID_INPUT when the options are
 * not valid
 * @example
 * const tools = await createOpenApiTools("./petstore.yaml", { include: ["listPets"] });
 */
export async function createOpenApiTools(
  input: OpenApiInput,
  options?: OpenApiToolsOptions,
): Promise<Record<string, OpenApiTool>> {
  const resolved = resolveOptions(options);
  return makeTools(await loadSpec(input), resolved);
}

/** Like {@link createOpenApiTools} for objects, files and text; URLs are not fetched. */
export function createOpenApiToolsSync(
  input: OpenApiInput,
  options?: OpenApiToolsOptions,
): Record<string, OpenApiTool> {
  const resolved = resolveOptions(options);
  return makeTools(loadSpecSync(input), resolved);
}

/**
 * The tool of one operation, whatever the filters say.
 * @throws OPENAPI_OPERATION_NOT_FOUND for an id that the document does not have, and what {@link
 * createOpenApiTools} throws
 */
export async function createOpenApiTool(
  input: OpenApiInput,
  operationId: string,
  options?: OpenApiToolsOptions,
): Promise<OpenApiTool> {
  const resolved = resolveOptions(options);
  return makeTool(await loadSpec(input), operationId, resolved);
}

/** Like {@link createOpenApiTool} for objects, files and text; URLs are not fetched. */
export function createOpenApiToolSync(
  input: OpenApiInput,
  operationId: string,
  options?: OpenApiToolsOptions,
): OpenApiTool {
  const resolved = resolveOptions(options);
  return makeTool(loadSpecSync(input), operationId, resolved);
}

function makeTools(loaded: LoadedSpec, options: ResolvedOptions): Record<string, OpenApiTool> {
  const { selected, warnings } = selectOperations(indexOperations(loaded), options);
  for (const warning of warnings) options.onWarning?.(warning);
  return Object.fromEntries(
    selected
      .filter(({ included }) => included)
      .map(({ toolName, operation }) => [toolName, toolOf(loaded, operation, options)]),
  );
}

function makeTool(loaded: LoadedSpec, operationId: string, options: ResolvedOptions): OpenApiTool {
  const { operations } = indexOperations(loaded);
  const operation = operations.find(({ id }) => id === operationId);
  if (operation === undefined) {
    throw new ServiceError(
      "OPENAPI_OPERATION_NOT_FOUND",
      `The OpenAPI document has no operation with the id ${JSON.stringify(operationId)}.`,
      { details: { operationId, operationIds: operations.slice(0, MOST_IDS_LISTED).map(({ id }) => id) } },
    );
  }
  return toolOf(loaded, operation, options);
}

const MOST_IDS_LISTED = 200;

/**
 * Credentials go where the caller has said: to `baseUrl`, or to the origin that the document was
 * asked for. Any other host would be the choice of the document's author.
 */
function checkHost(loaded: LoadedSpec, operation: SpecOperation, options: ResolvedOptions): void {
  if (!options.areSecret || options.baseUrl !== undefined) return;
  const server = serverUrlOf(loaded, operation);
  // A server that cannot be used fails the call, with its own reason.
  if (typeof server === "string" || server.origin === loaded.chosenOrigin) return;
  throw wrongOption(
    "baseUrl",
    `an address, since the document would send your credentials to ${server.origin}; name the host that may have them`,
  );
}

function toolOf(loaded: LoadedSpec, operation: SpecOperation, options: ResolvedOptions): OpenApiTool {
  checkHost(loaded, operation, options);
  const plan = planOperation(loaded, operation, options);
  for (const warning of plan.warnings) options.onWarning?.(warning);
  return toTool(loaded, plan, { options, curation: options.operations.get(operation.id) || undefined });
}
