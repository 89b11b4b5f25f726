import { z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import type { AgentInput } from "../../model/agent.js";
import { type Composite, compositeName } from "../../model/composite.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import {
  anything,
  checked,
  flag,
  name,
  orNull,
  required,
  withDefault,
  type Checked,
} from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { once } from "../../util/once.js";
import { isPlainObject } from "../../util/same-data.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { useCtx } from "../use-ctx.js";
import { bookkeeping } from "./bookkeeping.js";
import { checkItem, type ItemRules } from "./check-items.js";
import { agent, checkProps, concurrency, isAgentOrChain, output, type PropRules } from "./check-props.js";
import {
  type Assignment,
  assignItems,
  type Classification,
  isClassificationList,
  type RoutableItem,
  routableItems,
} from "./classifications.js";
import type { HoldsFields } from "./holds-fields.js";
import { itemId } from "./item-id.js";
import { partsOf } from "./parts-of.js";
import { jsonSection } from "./prompt-parts.js";
import { readField } from "./read-field.js";
import { useAnswerSchema } from "./use-answer-schema.js";
import { wrongProp } from "./wrong-prop.js";

/** Where the items of a category go. */
export interface RouteCategory {
  /** Handles them, one by one: one agent, or a chain. */
  agent: AgentInput | readonly AgentInput[];
  /** Which items belong to it; part of the classifier's prompt. */
  description?: string;
  /** The agent's prompt. @default to handle the item */
  prompt?: WorkflowNode;
}

/** Props of `ClassifyAndRoute`. */
export interface ClassifyAndRouteProps<
  S extends SchemaMap = SchemaMap,
  C = OutputTarget<S>,
  R = OutputTarget<S>,
> {
  /** Prefix of the ids `<id>-classify`, `<id>-assign` and `<id>-route-<item>`. @default "classify-and-route" */
  id?: string;
  /** Anything that is JSON. An item is known by its field `id`, else by its place in the list. */
  items: readonly unknown[];
  /** By name: agents, chains, or agents with a description or a prompt. */
  categories: Readonly<Record<string, AgentInput | readonly AgentInput[] | RouteCategory>>;
  /** Puts all items into categories: one agent, or a chain. */
  classifierAgent: AgentInput | readonly AgentInput[];
  /** Takes the classifier's row: `{classifications: [{category, itemId?}]}`. */
  classifierOutput: C;
  /** Takes the rows of the routes. */
  routeOutput: R;
  /** Counts instead of the classifier's row, who is not asked where it is there from the start. @default the classifier's row */
  classificationResult?: { readonly classifications: readonly Classification[] } | null;
  /** Routes at once. @default unbounded */
  maxConcurrency?: number;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** A description of the items; part of the prompts of classifier and routes. */
  children?: WorkflowNode;
}

/** `ClassifyAndRoute`, typed by the module's schemas. */
export type ClassifyAndRouteComponent<S extends SchemaMap = SchemaMap> = <
  const C extends OutputTarget<S>,
  const R extends OutputTarget<S>,
>(
  props: ClassifyAndRouteProps<S, C & HoldsFields<S, C, { classifications: readonly Classification[] }>, R>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "classify-and-route"),
  items: required(checked("a list", Array.isArray)),
  categories: required(
    checked(
      "an object with at least one category, each an agent or {agent, description?, prompt?}",
      (value) => isPlainObject(value) && Object.keys(value).length > 0,
    ),
  ),
  classifierAgent: required(agent),
  classifierOutput: output,
  routeOutput: output,
  classificationResult: orNull(
    checked(
      "{classifications}, a list of {category, itemId?}",
      (value) => isPlainObject(value) && isClassificationList(value["classifications"]),
    ),
  ),
  maxConcurrency: concurrency,
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<ClassifyAndRouteProps>;

const CATEGORY: ItemRules<RouteCategory> = {
  what: "an agent, a chain of agents, or",
  fields: { agent: required(agent), description: name, prompt: anything },
};

const CLASSIFICATIONS = {
  prop: "classifierOutput",
  field: "classifications",
  expected: "a list of {category, itemId?}",
  fits: isClassificationList,
};

/** Row of `<id>-assign`. The items are kept in it, so that a route does what was classified. */
const assigned = once(() =>
  z.object({ routes: z.array(z.object({ itemId: z.string(), category: z.string(), item: z.unknown() })) }),
);

/**
 * Puts items into categories, and hands each to the agent of its category.
 * @example
 * <ClassifyAndRoute
 *   items={[{ id: "T-1", text: "It does not start." }]}
 *   categories={{ bug: coder, contract: { agent: lawyer, description: "Anything about money." } }}
 *   classifierAgent={reviewer}
 *   classifierOutput={outputs.classification}
 *   routeOutput={outputs.report}
 * />
 * @see `docs/components/classify-and-route.md`
 */
export const ClassifyAndRoute = ((given: ClassifyAndRouteProps): WorkflowElement => {
  const { composite, props } = checkProps("ClassifyAndRoute", given, RULES);
  const { id, classifierOutput, classificationResult, maxConcurrency } = props;
  for (const [key, item] of Object.entries(props.categories)) {
    if (!isAgentOrChain(item)) checkItem(composite, { prop: `categories.${key}`, item, rules: CATEGORY });
  }
  const items = itemsOf(composite, props);
  const categories = Object.keys(props.categories);
  const known = JSON.stringify([items.map(({ itemId: each }) => each), categories]);
  const answerSchema = useAnswerSchema(classifierOutput, known, ({ classifications: answered }) => {
    const { field, expected } = CLASSIFICATIONS;
    if (!isClassificationList(answered)) return [{ field, message: `expected ${expected}` }];
    return assignItems(answered, items, categories).problems.map((message) => ({ field, message }));
  });
  const ctx = useCtx();
  const classify = `${id}-classify`;
  const hasRow = ctx.outputMaybe(classifierOutput, { nodeId: classify }) !== undefined;
  const plan = ctx.outputMaybe(COMPOSITE_ROWS, { nodeId: `${id}-assign` });
  const routes = (plan?.["routes"] ?? []) as Assignment[];
  // Items that come from data may be none; the composite is done then.
  if (items.length === 0 && plan === undefined) return partsOf(composite, <Sequence />);
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Task
        id={classify}
        output={classifierOutput}
        {...answerSchema}
        agent={props.classifierAgent}
        skipIf={classificationResult != null && !hasRow}
      >
        <p>Put each item into exactly one of the categories, and answer with its itemId.</p>
        {props.children}
        {jsonSection("Categories", describedCategories(props))}
        {jsonSection("Items", items)}
      </Task>
      <Task
        {...bookkeeping()}
        id={`${id}-assign`}
        output={COMPOSITE_ROWS}
        outputSchema={assigned()}
        needs={{ row: classify }}
        cache={false}
      >
        {({ row }) => {
          const given = classificationResult ?? (row as object);
          const classifications = readField(composite, given, CLASSIFICATIONS);
          return { routes: assignedOrRefused(composite, assignItems(classifications, items, categories)) };
        }}
      </Task>
      <Parallel id={`${id}-routes`} {...(maxConcurrency !== undefined && { maxConcurrency })}>
        {routes.map((route) => (
          <Route key={route.itemId} {...props} route={route} composite={composite} />
        ))}
      </Parallel>
    </Sequence>,
  );
}) as ClassifyAndRouteComponent;

/** One item, handled by the agent of its category. One that fails leaves the others alone. */
function Route(
  props: Checked<ClassifyAndRouteProps, typeof RULES> & { route: Assignment; composite: Composite },
): WorkflowElement {
  const { route, composite } = props;
  const category = categoryOf(props, route.category);
  if (category === undefined) {
    throw wrongProp(composite, {
      prop: "categories",
      expected: `one called ${route.category}, as item ${route.itemId} is in it`,
    });
  }
  return (
    <Task
      id={itemId(`${props.id}-route`, route.itemId)}
      output={props.routeOutput}
      agent={category.agent}
      label={`${route.category}: ${route.itemId}`}
      continueOnFail
    >
      <section>{category.prompt ?? `Handle this item of the category ${route.category}.`}</section>
      <section>{props.children}</section>
      {jsonSection("Item", route.item)}
    </Task>
  );
}

/** @throws INVALID_INPUT two items have one id */
function itemsOf(composite: Composite, { items }: ClassifyAndRouteProps): RoutableItem[] {
  const routable = routableItems(items);
  const seen = new Set<string>();
  for (const [index, { itemId: each, item }] of routable.entries()) {
    if (seen.has(each)) {
      throw wrongProp(composite, {
        prop: `items[${index}]`,
        value: item,
        expected: `an item with an id of its own, not ${JSON.stringify(each)} again`,
      });
    }
    seen.add(each);
  }
  return routable;
}

/** @throws INVALID_OUTPUT naming each item that has no route */
function assignedOrRefused(
  composite: Composite,
  { routes, problems }: ReturnType<typeof assignItems>,
): Assignment[] {
  if (problems.length === 0) return routes;
  throw new ServiceError(
    "INVALID_OUTPUT",
    `${compositeName(composite)} cannot route what the classifier answered: ${problems.join("; ")}.`,
    { details: { tag: composite.tag, prop: "classifierOutput", problems }, retryable: false },
  );
}

function describedCategories(props: ClassifyAndRouteProps) {
  return Object.keys(props.categories).map((category) => {
    const { description } = categoryOf(props, category) as RouteCategory;
    return { category, ...(description !== undefined && { description }) };
  });
}

function categoryOf({ categories }: ClassifyAndRouteProps, category: string): RouteCategory | undefined {
  const given = Object.hasOwn(categories, category) ? categories[category] : undefined;
  return isAgentOrChain(given) ? { agent: given } : (given as RouteCategory | undefined);
}
