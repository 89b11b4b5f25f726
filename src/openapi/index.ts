/** The public names of `treadle/openapi`. */
export { OPENAPI_CALL_CHANNEL, type OpenApiCall } from "./call-report.js";
export {
  createOpenApiTool,
  createOpenApiTools,
  createOpenApiToolSync,
  createOpenApiToolsSync,
} from "./create-tools.js";
export type { OpenApiAuth } from "./credentials.js";
export {
  describeOperations,
  listOperations,
  type OperationDescription,
  type OperationInfo,
} from "./list-operations.js";
export type { OpenApiInput } from "./load-spec.js";
export type { OpenApiOperationCuration, OpenApiResponseExample, OpenApiToolsOptions } from "./options.js";
export { isOpenApiToolFailure, type OpenApiToolFailure } from "./result.js";
export type {
  OpenApiSpec,
  OperationObject,
  ParameterObject,
  PathItem,
  ReferenceObject,
  RequestBodyObject,
  SchemaObject,
  ServerObject,
} from "./spec.js";
export type { OpenApiTool, OpenApiToolCallOptions } from "./tool.js";
export type { OpenApiWarning, OpenApiWarningKind } from "./warning.js";
