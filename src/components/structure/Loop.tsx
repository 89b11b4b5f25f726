import { jsx } from "../../../jsx-runtime/jsx-runtime.js";
import { controlId, type EnclosingLoop } from "../../model/address.js";
import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import type { ControlToken } from "../../model/render-runtime.js";
import { hostComponent } from "../host-component.js";
import { RenderPlaceContext, useRenderPlace } from "../render-place.js";
import { useControl } from "../use-control.js";
import { standingFor } from "../standing-for.js";

/** Props of `Loop`. */
export interface LoopProps {
  key?: ElementKey | undefined;
  /** Names the loop in `ctx.iterations` and in stored state. @default made of the place in the tree */
  id?: string;
  /** Ends the loop; evaluated when every task of the iteration is done. @default false */
  until?: boolean;
  /** Iterations at most; Infinity is allowed. @default 5 */
  maxIterations?: number;
  /** The result of reaching `maxIterations`. @default "return-last" */
  onMaxReached?: "fail" | "return-last";
  /**
   * Continues in a new run after every so many iterations, so that the history of a run stays short.
   * @default never
   */
  continueAsNewEvery?: number;
  /** Marks every task inside as skipped; the loop does not iterate. @default false */
  skipIf?: boolean;
  /** The content of each iteration. */
  children?: WorkflowNode;
}

const LoopElement =
  hostComponent<
    (props: Omit<LoopProps, "key"> & { token: ControlToken; iteration: number }) => WorkflowElement
  >("Loop");

/**
 * Mounts its children again, with the next iteration, until `until` holds.
 * @example
 * <Loop id="rounds" until={ctx.latest("review", "review")?.approved === true} maxIterations={3}>
 *   <Task id="review" output={outputs.review} agent={reviewer}>Review the change.</Task>
 * </Loop>
 * @see `docs/components/loop.md`
 */
export function Loop(props: LoopProps): WorkflowElement {
  const place = useRenderPlace("<Loop>");
  const { token, state } = useControl(props.id, place);
  const iteration = state?.kind === "loop" ? state.iteration : 0;
  const id = token.id ?? "";
  const loop: EnclosingLoop = { id, controlId: controlId(id, place.loops), iteration };
  const children = (
    <RenderPlaceContext value={{ ...place, loops: [...place.loops, loop] }}>
      {props.children}
    </RenderPlaceContext>
  );
  const given = elementProps(props, { token, iteration: token.id === undefined ? -1 : iteration, children });
  return standingFor(props, jsx(LoopElement, given));
}

type ElementProps = Parameters<typeof LoopElement>[0];

const NO_PROPS = {
  id: undefined,
  until: undefined,
  maxIterations: undefined,
  token: undefined,
  iteration: undefined,
  children: undefined,
};

/** Copied one by one: what is spread and added to has a shape of its own each time, which every reader pays for. */
function elementProps(
  given: LoopProps,
  own: Pick<ElementProps, "token" | "iteration" | "children">,
): ElementProps {
  const props: Record<string, unknown> = { ...NO_PROPS };
  for (const name in given) props[name] = given[name as keyof LoopProps];
  return Object.assign(props, own) as unknown as ElementProps;
}
