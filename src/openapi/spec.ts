/**
 * The parts of an OpenAPI 3 document that tools are made of. A document that was
 * read from outside is never trusted to have this shape: readers go through
 * {@link asRecord} and treat a value of the wrong kind as absent.
 */
export interface OpenApiSpec {
  /** `3.0.x` or `3.1.x`. */
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: ServerObject[];
  paths?: Record<string, PathItem>;
  components?: {
    schemas?: Record<string, SchemaObject | ReferenceObject>;
    parameters?: Record<string, ParameterObject | ReferenceObject>;
    requestBodies?: Record<string, RequestBodyObject | ReferenceObject>;
    [section: string]: unknown;
  };
  [extension: string]: unknown;
}

export interface ServerObject {
  url: string;
  description?: string;
  variables?: Record<string, { default: string; enum?: string[]; description?: string }>;
}

export type OperationMethod = "get" | "post" | "put" | "delete" | "patch";

export type PathItem = { [M in OperationMethod]?: OperationObject } & {
  $ref?: string;
  parameters?: (ParameterObject | ReferenceObject)[];
  servers?: ServerObject[];
  [extension: string]: unknown;
};

export interface OperationObject {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: (ParameterObject | ReferenceObject)[];
  requestBody?: RequestBodyObject | ReferenceObject;
  responses?: Record<string, unknown>;
  servers?: ServerObject[];
  tags?: string[];
  deprecated?: boolean;
  [extension: string]: unknown;
}

export type ParameterLocation = "query" | "header" | "path" | "cookie";

export interface ParameterObject {
  name: string;
  in: ParameterLocation;
  description?: string;
  required?: boolean;
  deprecated?: boolean;
  schema?: SchemaObject | ReferenceObject;
  content?: Record<string, { schema?: SchemaObject | ReferenceObject }>;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
  [extension: string]: unknown;
}

export interface RequestBodyObject {
  description?: string;
  required?: boolean;
  content: Record<string, { schema?: SchemaObject | ReferenceObject; [extension: string]: unknown }>;
  [extension: string]: unknown;
}

export interface SchemaObject {
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, SchemaObject | ReferenceObject>;
  required?: string[];
  items?: SchemaObject | ReferenceObject;
  enum?: unknown[];
  default?: unknown;
  nullable?: boolean;
  oneOf?: (SchemaObject | ReferenceObject)[];
  anyOf?: (SchemaObject | ReferenceObject)[];
  allOf?: (SchemaObject | ReferenceObject)[];
  additionalProperties?: boolean | SchemaObject | ReferenceObject;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  $ref?: string;
  [keyword: string]: unknown;
}

export interface ReferenceObject {
  $ref: string;
  [sibling: string]: unknown;
}

/** The value as an object with string keys; undefined for arrays, null and everything else. */
export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** The value as a text with something in it; undefined otherwise. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
