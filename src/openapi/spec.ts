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

/** An address of the API; `{name}` in `url` stands for one of its `variables`. */
export interface ServerObject {
  url: string;
  description?: string;
  variables?: Record<string, { default: string; enum?: string[]; description?: string }>;
}

export type OperationMethod = "get" | "post" | "put" | "delete" | "patch";

/** The operations of one path, by method. */
export type PathItem = { [M in OperationMethod]?: OperationObject } & {
  $ref?: string;
  parameters?: (ParameterObject | ReferenceObject)[];
  servers?: ServerObject[];
  [extension: string]: unknown;
};

/** One operation, as the document describes it. */
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

/** A parameter of an operation that is not its body. */
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

/** The body of an operation by media type. */
export interface RequestBodyObject {
  description?: string;
  required?: boolean;
  content: Record<string, { schema?: SchemaObject | ReferenceObject; [extension: string]: unknown }>;
  [extension: string]: unknown;
}

/** A JSON Schema as OpenAPI 3.0 and 3.1 have it. */
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

/** Stands for an object elsewhere in the document. */
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
