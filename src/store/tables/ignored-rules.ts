import type { $ZodType } from "zod/v4/core";
import { definitionOf } from "./field-type.js";
import { ANY_ELEMENT, formatPath } from "./names.js";

/** A rule of an input schema that would change a value, and therefore does nothing: inputs are stored as given. */
export interface IgnoredRule {
  /** The field, such as `retry.times`, `tags[]`; empty for the input itself. */
  path: string;
  rule: "default" | "transform" | "coercion";
}

/** Every rule of an input schema that would change what is given, in the order of the fields. */
export function ignoredRules(schema: $ZodType): IgnoredRule[] {
  const found: IgnoredRule[] = [];
  const seen = new Set<$ZodType>();
  const visit = (inner: $ZodType, path: readonly string[]): void => {
    if (seen.has(inner)) return;
    seen.add(inner);
    const report = (rule: IgnoredRule["rule"]) => found.push({ path: formatPath(path), rule });
    const def = definitionOf(inner);
    if ("coerce" in def && def.coerce === true) report("coercion");
    if ((def.checks ?? []).some((check) => check._zod.def.check === "overwrite")) report("transform");
    switch (def.type) {
      case "default":
      case "prefault":
      case "catch":
        report("default");
        return visit(def.innerType, path);
      case "optional":
      case "nullable":
      case "nonoptional":
      case "readonly":
        return visit(def.innerType, path);
      case "transform":
        report("transform");
        return;
      case "pipe":
        visit(def.in, path);
        return visit(def.out, path);
      case "object":
        for (const [field, of] of Object.entries(def.shape)) visit(of, [...path, field]);
        return;
      case "array":
        return visit(def.element, [...path, ANY_ELEMENT]);
      case "record":
        return visit(def.valueType, [...path, ANY_ELEMENT]);
      case "tuple":
        for (const item of def.items) visit(item, [...path, ANY_ELEMENT]);
        return;
      case "union":
        for (const option of def.options) visit(option, path);
        return;
      case "intersection":
        visit(def.left, path);
        return visit(def.right, path);
      default:
    }
  };
  visit(schema, []);
  return found;
}
