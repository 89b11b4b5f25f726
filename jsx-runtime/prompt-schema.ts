import { createContext, useContext } from "react";
import type { WorkflowElement, WorkflowNode } from "../src/util/element.js";
import { makeElement } from "./make-element.js";

type Props = Readonly<Record<string, unknown>>;

/** JSON Schema of what a task may answer; `{schema}` renders as its JSON text. */
export type AnswerSchema = Record<string, unknown> & Iterable<string>;

/**
 * An object like any other to who reads its members; where it stands as a text, `{schema}` between tags or in a
 * template, it is its JSON. React renders what can be iterated.
 */
export function renderableSchema(schema: Record<string, unknown>): AnswerSchema {
  const text = () => JSON.stringify(schema, null, 2);
  Object.defineProperty(schema, Symbol.iterator, { value: () => [text()].values() });
  Object.defineProperty(schema, "toString", { value: text });
  return schema as AnswerSchema;
}

/** Finds the JSON Schema of a Task element's answer by its props; undefined where it has no valid output. */
export type SchemaOfTask = (task: Props) => AnswerSchema | undefined;

const Schemas = createContext<SchemaOfTask>(() => undefined);

/** Tells the prompts inside it what their tasks may answer. React's own type asks for React's type of nodes. */
export const PromptSchemaContext = Schemas as unknown as (props: {
  value: SchemaOfTask;
  children: WorkflowNode;
}) => WorkflowElement;

/** A prompt that is a component gets the schema of its task's answer as the prop `schema`, unless it has one. */
export function withSchema(prompt: WorkflowElement, schema: AnswerSchema): WorkflowElement {
  return takesSchema(prompt) ? makeElement(prompt.type, { ...prompt.props, schema }, prompt.key) : prompt;
}

/** A Task is its host element, so the components that its prompt consists of are reached here. */
export function withPromptSchema(task: Props): Props {
  const { children } = task;
  if (Array.isArray(children)) {
    return children.some(takesSchema)
      ? { ...task, children: children.map((child: unknown) => wrapped(child, task)) }
      : task;
  }
  return takesSchema(children) ? { ...task, children: wrapped(children, task) } : task;
}

function wrapped(child: unknown, task: Props): unknown {
  return takesSchema(child) ? makeElement(Prompt, { prompt: child, task }, child.key) : child;
}

function Prompt({ prompt, task }: { prompt: WorkflowElement; task: Props }): WorkflowElement {
  const schema = useContext(Schemas)(task);
  return schema === undefined ? prompt : withSchema(prompt, schema);
}

function takesSchema(child: unknown): child is WorkflowElement {
  if (typeof child !== "object" || child === null || !("type" in child && "props" in child)) return false;
  const { type, props } = child as WorkflowElement;
  // Markup is a text, a fragment a symbol; what is left are components, memoized ones among them.
  const isComponent = typeof type === "function" || (typeof type === "object" && type !== null);
  return isComponent && props.schema === undefined;
}
