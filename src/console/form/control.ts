import type { Registry, RJSFSchema, WidgetProps } from "@rjsf/utils";
import { shown } from "../parts/text.js";
import { IN_UNION } from "./form-schema.js";

/** Names of members may have blanks and more, which an id that others refer to may not. */
export function controlId(id: string): string {
  return id.replaceAll(/[^\w-]/g, (character) => `_${character.codePointAt(0)}_`);
}

/** One whose kinds are no mere literals. */
export function isUnion(schema: RJSFSchema, { schemaUtils }: Registry): boolean {
  return (schema.anyOf !== undefined || schema.oneOf !== undefined) && !schemaUtils.isSelect(schema);
}

type Control = Pick<WidgetProps, "id" | "name" | "schema" | "required" | "rawErrors">;

/** Attributes that every control has. A kind of a union has no label of its own to be seen. */
export function controlProps({ id, name, schema, required = false, rawErrors = [] }: Control) {
  const own = controlId(id);
  const isKind = (schema as Record<string, unknown>)[IN_UNION] === true;
  return {
    id: own,
    "aria-invalid": rawErrors.length > 0,
    "aria-describedby": `${own}-more`,
    "aria-required": required,
    ...(isKind && { "aria-label": shown(`${name}: ${schema.title ?? ""}`) }),
  };
}
