import { unknownProp } from "../model/element-props.js";
import { wrongProps } from "./wrong-props.js";

/** The names of a component's props; a prop that is missing here, or too many, does not compile. */
export type PropNames<P> = Readonly<Record<keyof P, true>>;

/**
 * For components that do not hand their props on to one element, which would check them.
 * @throws INVALID_INPUT naming the prop, and the one that is probably meant
 */
export function refuseUnknownProps<P extends object>(component: string, props: P, names: PropNames<P>): void {
  const given = props as Readonly<Record<string, unknown>>;
  const problem = unknownProp(given, new Set(Object.keys(names)));
  if (problem === undefined) return;
  throw wrongProps(component, props, `has ${problem}`);
}
