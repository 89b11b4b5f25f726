/**
 * Something in a document that tools cannot honour in full.
 *
 * - `cookie-parameter`: cookies are not sent
 * - `request-body`: the body has no JSON media type, or cannot be sent with this method
 * - `parameter`: a parameter or a path is malformed and was left out
 * - `schema`: keywords that are not checked, or a schema too large to show
 * - `reference`: a `$ref` that leads nowhere, or into another document
 * - `operation-id`: an id is used twice
 * - `filter`: `include`, `exclude` or `operations` names an id that does not exist
 */
export type OpenApiWarningKind =
  | "cookie-parameter"
  | "request-body"
  | "parameter"
  | "schema"
  | "reference"
  | "operation-id"
  | "filter";

/** One such warning, reported while tools are made. */
export interface OpenApiWarning {
  kind: OpenApiWarningKind;
  /** One sentence for people. */
  message: string;
  /** Absent when the warning is about the document or the options as a whole. */
  operationId?: string;
}
