import type { ElementKey, WorkflowElement } from "../../util/element.js";
import { jsx } from "../../../jsx-runtime/jsx-runtime.js";
import { hostComponent } from "../host-component.js";

/** Props of `ContinueAsNew`. */
export interface ContinueAsNewProps {
  key?: ElementKey | undefined;
  /** The new run's `ctx.continuation`: JSON, at most 10 MB. */
  state?: unknown;
}

/**
 * When it is reached, the run ends and continues as a new run with the same input.
 * @example
 * {round >= 100 && <ContinueAsNew state={{ seen }} />}
 * @see `docs/components/continue-as-new.md`
 */
export const ContinueAsNew = hostComponent<(props: ContinueAsNewProps) => WorkflowElement>("ContinueAsNew");

/**
 * `<ContinueAsNew state={state} />` as a function.
 * @see `docs/components/continue-as-new.md`
 */
export function continueAsNew(state?: unknown): WorkflowElement {
  return jsx(ContinueAsNew, state === undefined ? {} : { state });
}
