/**
 * The parts of an OpenAPI 3 document that tools are made of. A document that was
 * read from outside is never trusted to have this shape: readers go through
 * {@link asRecord} and treat a value of the wrong kind as absent.
 */
export interface OpenApiSpec {
  /** `3.0.x` or `3.1.x`. */
  openapi: string;
  /** Title and description of the API; `version` is that of the API. */
  info: { title: string; version: string; description?: string };
  /** Where the API is, the first one unless the options say otherwise. */
  servers?: ServerObject[];
  /** By path, with parameters in braces: `/pets/{petId}`. */
  paths?: Record<string, PathItem>;
  /** The targets of references. */
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
  /** Absolute, or relative to where the document comes from. */
  url: string;
  /** For people. */
  description?: string;
  /** By name; `default` is what is put in. */
  variables?: Record<string, { default: string; enum?: string[]; description?: string }>;
}

export type OperationMethod = "get" | "post" | "put" | "delete" | "patch";

/** The operations of one path, by method. */
export type PathItem = { [M in OperationMethod]?: OperationObject } & {
  /** Where the rest of it is written. */
  $ref?: string;
  /** Of all its operations. */
  parameters?: (ParameterObject | ReferenceObject)[];
  /** Instead of the document's. */
  servers?: ServerObject[];
  [extension: string]: unknown;
};

/** One operation, as the document describes it. */
export interface OperationObject {
  /** Names the tool. @default made of method and path */
  operationId?: string;
  /** One line: the purpose of the tool, for the model. */
  summary?: string;
  /** More lines of it. */
  description?: string;
  /** Beside those of its path; one of the same name and place comes instead. */
  parameters?: (ParameterObject | ReferenceObject)[];
  /** The body that is sent. */
  requestBody?: RequestBodyObject | ReferenceObject;
  /** By status code. */
  responses?: Record<string, unknown>;
  /** Instead of those of its path. */
  servers?: ServerObject[];
  /** Groups that it belongs to. */
  tags?: string[];
  /** It should no longer be used. @default false */
  deprecated?: boolean;
  [extension: string]: unknown;
}

export type ParameterLocation = "query" | "header" | "path" | "cookie";

/** A parameter of an operation that is not its body. */
export interface ParameterObject {
  /** As it is sent; headers without regard to case. */
  name: string;
  /** Where it is sent. */
  in: ParameterLocation;
  /** Its meaning, for the model. */
  description?: string;
  /** A call has to have it; one in a path always has. @default false */
  required?: boolean;
  /** It should no longer be used. @default false */
  deprecated?: boolean;
  /** The schema of its value. */
  schema?: SchemaObject | ReferenceObject;
  /** Instead of `schema`: by the one media type that it is sent as. */
  content?: Record<string, { schema?: SchemaObject | ReferenceObject }>;
  /** How lists and objects are written. @default "form" in queries and cookies, "simple" in paths and headers */
  style?: string;
  /** Each entry stands for itself. @default true where the style is "form" */
  explode?: boolean;
  /** Characters such as `/` are sent as they are. @default false */
  allowReserved?: boolean;
  [extension: string]: unknown;
}

/** The body of an operation by media type. */
export interface RequestBodyObject {
  /** Its meaning, for the model. */
  description?: string;
  /** A call has to have it. @default false */
  required?: boolean;
  /** By media type, such as `application/json`. */
  content: Record<string, { schema?: SchemaObject | ReferenceObject; [extension: string]: unknown }>;
  [extension: string]: unknown;
}

/** A JSON Schema as OpenAPI 3.0 and 3.1 have it. */
export interface SchemaObject {
  /** Such as `string`; several in OpenAPI 3.1 only. */
  type?: string | string[];
  /** Such as `date-time`. */
  format?: string;
  /** Its meaning, for the model. */
  description?: string;
  /** Of an object, by name. */
  properties?: Record<string, SchemaObject | ReferenceObject>;
  /** Names of the properties that an object has to have. */
  required?: string[];
  /** The schema of a list's entries. */
  items?: SchemaObject | ReferenceObject;
  /** The values that there are. */
  enum?: unknown[];
  /** The value that the API takes where there is none. */
  default?: unknown;
  /** It may be null, in OpenAPI 3.0. @default false */
  nullable?: boolean;
  /** It is exactly one of them. */
  oneOf?: (SchemaObject | ReferenceObject)[];
  /** It is at least one of them. */
  anyOf?: (SchemaObject | ReferenceObject)[];
  /** It is all of them. */
  allOf?: (SchemaObject | ReferenceObject)[];
  /** The schema of an object's further properties, or whether there may be any. @default true */
  additionalProperties?: boolean | SchemaObject | ReferenceObject;
  /** A number is no less. */
  minimum?: number;
  /** A number is no more. */
  maximum?: number;
  /** A text has no fewer characters. */
  minLength?: number;
  /** A text has no more characters. */
  maxLength?: number;
  /** A regular expression that is found in a text. */
  pattern?: string;
  /** Where it is written. */
  $ref?: string;
  [keyword: string]: unknown;
}

/** Stands for an object elsewhere in the document. */
export interface ReferenceObject {
  /** Where: `#/components/schemas/Pet`, or in another file. */
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
