import { elementSource } from "../../jsx-runtime/element-source.js";
import { ServiceError } from "../errors/service-error.js";
import { compositeName } from "../model/composite.js";

/** The error for props of a component that checks them itself: INVALID_INPUT, with the line where it was written. */
export function wrongProps(tag: string, props: object, problem: string): ServiceError {
  const source = elementSource(props);
  const place = source !== undefined && { source };
  const name = compositeName({ tag, props: props as Readonly<Record<string, unknown>>, ...place });
  return new ServiceError("INVALID_INPUT", `${name} ${problem}`, { details: { tag, ...source } });
}
