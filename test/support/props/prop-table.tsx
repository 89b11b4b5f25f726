import type { ReactElement, ReactNode } from "react";
import { jsx } from "../../../jsx-runtime/jsx-runtime.js";
import { components } from "../../../src/components/components.js";
import { ServiceError } from "../../../src/errors/service-error.js";
import type { RenderedFrame } from "../../../src/model/graph.js";
import { outputs, type Rig, rig } from "../render-workflow.js";

const { Task, Workflow } = components;

type Props = Readonly<Record<string, unknown>>;

/** That a prop does something: what differs in the frame when it is set. */
export interface PropEffect {
  to: unknown;
  /** Other props that it takes for this one to matter; in both frames. */
  given?: Props;
  /** Brings the run to where the prop matters; in both frames. */
  after?(flow: Rig): void;
  shows(frame: RenderedFrame): unknown;
  /** What it shows with the prop. Without it, something else. */
  as: unknown;
}

/** Also of a union of props, where not every member has the key. */
type KeysOf<P> = P extends unknown ? keyof P : never;

/** An entry for each prop, so that a new prop without one is a compile error. React has the key. */
export type PropEffects<P> = { readonly [K in Exclude<KeysOf<P>, "key">]-?: PropEffect };

export interface PropTable {
  component(props: never): ReactElement;
  /** The least that the component takes. */
  base: Props;
  /** Where the component may stand. @default in a workflow, after a task with the id `before` */
  inside?(element: ReactElement): ReactNode;
  effects: Readonly<Record<string, PropEffect>>;
}

function afterTask(element: ReactElement): ReactNode {
  return (
    <Workflow name="w">
      <Task id="before" output={outputs.note}>
        {{ text: "before" }}
      </Task>
      {element}
    </Workflow>
  );
}

/** What the frame shows with the prop and without it; `{refused}` when there is none. */
export function compareFrames(
  { component, base, inside = afterTask }: PropTable,
  prop: string,
  { to, given, after, shows }: PropEffect,
): { without: unknown; with: unknown } {
  const shown = (props: Props) => {
    const flow = rig(() =>
      inside(jsx(component as (props: Props) => ReactElement, { ...base, ...given, ...props })),
    );
    after?.(flow);
    try {
      return shows(flow.render());
    } catch (error) {
      if (error instanceof ServiceError) return { refused: error.summary };
      throw error;
    } finally {
      flow.dispose();
    }
  };
  return { without: shown({}), with: shown({ [prop]: to }) };
}
