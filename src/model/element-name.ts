import type { HostElement } from "./host-node.js";

export type NamedElement = Pick<HostElement, "tag" | "props">;

/** Elements that stand for a part of one, or for one of its modes: no author writes them. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  InlineSubflow: "Subflow",
  SubflowResult: "Subflow",
  SandboxRun: "Sandbox",
  SandboxEnd: "Sandbox",
  SagaAction: "SagaStep",
  SagaCompensation: "SagaStep",
  TryPart: "TryCatchFinally",
  CatchPart: "TryCatchFinally",
  FinallyPart: "TryCatchFinally",
};

/** The name that an element has where it was written. */
export function writtenTag(tag: string): string {
  return (Object.hasOwn(WRITTEN_AS, tag) ? WRITTEN_AS[tag] : undefined) ?? tag;
}

/** An element as its author knows it: `<Task id="a">`, or `<Sequence>` without an id. */
export function elementName(element: NamedElement): string {
  const tag = writtenTag(element.tag);
  const { id, name } = element.props;
  if (typeof id === "string") return `<${tag} id=${JSON.stringify(id)}>`;
  if (typeof name === "string") return `<${tag} name=${JSON.stringify(name)}>`;
  return `<${tag}>`;
}
