import { createElement } from "./create-element.js";

export { Fragment } from "./fragment.js";
export type { JSX } from "./jsx-namespace.js";
export { createElement as jsx, createElement as jsxs };
