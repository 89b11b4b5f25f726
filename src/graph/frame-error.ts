import { elementSource } from "../../jsx-runtime/element-source.js";
import type { KnownErrorCode } from "../errors/codes.js";
import { ServiceError } from "../errors/service-error.js";
import { elementName } from "../model/element-name.js";
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
