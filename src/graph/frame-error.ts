import { elementSource } from "../../jsx-runtime/element-source.js";
import type { KnownErrorCode } from "../errors/codes.js";
import { ServiceError } from "../errors/service-error.js";
import type { HostElement } from "../model/host-node.js";

/**
 * An error about one element. The message starts with the element as its author
 * knows it, `<Task id="a"> (flow.tsx:12)`; the line is known when the workflow
 * was compiled with the development JSX transform.
 */
export function frameError(code: KnownErrorCode, element: HostElement, problem: string): ServiceError {
  const source = elementSource(element.props);
  const where = source === undefined ? "" : ` (${source.fileName}:${source.lineNumber})`;
  const { id } = element.props;
  return new ServiceError(code, `${elementName(element)}${where} ${problem}`, {
    details: { tag: element.tag, ...(typeof id === "string" && { id }), ...source },
  });
}

/** `<Task id="a">`, or `<Sequence>` without an id. */
export function elementName(element: HostElement): string {
  const { id, name } = element.props;
  if (typeof id === "string") return `<${element.tag} id=${JSON.stringify(id)}>`;
  if (typeof name === "string") return `<${element.tag} name=${JSON.stringify(name)}>`;
  return `<${element.tag}>`;
}
