import type { AspectsSpec } from "../model/graph.js";
import type { HostElement, HostTag } from "../model/host-node.js";
import type { PlanNode } from "../model/plan.js";
import type { OutputRegistry, RenderRuntime } from "../model/render-runtime.js";
import type { TaskDescriptor } from "../model/task.js";
import type { XmlElement } from "../model/xml.js";
import type { FormerIds } from "./former-ids.js";
import type { AncestorContext } from "./ancestor-context.js";

/** One element during extraction. */
export interface Site {
  readonly element: HostElement;
  /** Of the place the element stands in. */
  readonly around: AncestorContext;
  readonly facts: Facts;
  readonly extraction: Extraction;
}

/** The state that all passes of one extractor share. */
export interface Extraction {
  readonly registry: OutputRegistry;
  readonly runtime: RenderRuntime;
  /** Addresses of all mounted tasks. */
  nodeIds: ReadonlySet<string>;
  /** Default ids that the run was stored with. */
  formerIds: FormerIds;
  /** A component rendered with an assumption that the tree has refuted; render again. */
  needsRender: boolean;
  promptOf(element: HostElement): string;
}

/** The meaning of a tag. Elements either arrange others or are a task. */
export type ElementRule = GroupRule | TaskRule;

interface CommonRule {
  /** Props that the XML shows. */
  readonly attributes: readonly string[];
  /** Tags that the element may stand directly in. Default: any element that takes tasks. */
  readonly parents?: readonly (HostTag | "#root")[];
}

export interface GroupRule extends CommonRule {
  readonly kind: "group";
  /** Tags of the children. Default: any element that takes tasks. */
  readonly children?: readonly HostTag[];
  /** The scheduler keeps a state for it under its address, so two of them must not share one. */
  readonly hasState?: boolean;
  /** Its address alone does not say which iteration is mounted, so the XML does. */
  readonly hasIteration?: boolean;
  /** Checks the props, sets `facts.address` of elements that have one, and answers what is around the children. */
  enter(site: Site): AncestorContext;
  /** The element's part of the plan; undefined when there is nothing to do in it. */
  plan(site: Site, planOf: (child: HostElement) => PlanNode | undefined): PlanNode | undefined;
}

export interface TaskRule extends CommonRule {
  readonly kind: "task";
  describe(site: Site): TaskDescriptor;
}

/**
 * The result of extraction for one element. It is kept on the element between
 * frames: as long as `revision` and `around` are those of the element, everything
 * here and below still holds.
 */
export interface Facts {
  readonly rule: ElementRule;
  revision: number;
  /** Around the place the element stands in. */
  around: AncestorContext;
  /** Around its children. */
  inner: AncestorContext;
  /** Id with loop iterations: of the node, or of the control state. Empty for elements without one. */
  address: string;
  task: TaskDescriptor | undefined;
  aspects: AspectsSpec | undefined;
  /** The last plan; a stale one is compared with its successor, so that equal plans stay the same object. */
  plan: PlanNode | undefined;
  planStale: boolean;
  /** It is skipped together with what is around it, and its id is another's: it is not mounted. */
  isLeftOut: boolean;
  xml: XmlElement | undefined;
  xmlStale: boolean;
}
