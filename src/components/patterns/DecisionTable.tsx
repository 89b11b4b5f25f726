import { anything, flag, name, oneOf, required, withDefault } from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { checkItems, type ItemRules } from "./check-items.js";
import { checkProps, nonEmptyList, type PropRules } from "./check-props.js";
import { itemId } from "./item-id.js";
import { partsOf } from "./parts-of.js";

/** One row of the table. */
export interface DecisionRule {
  /** Whether it matches, in the present frame. */
  when: boolean;
  /** The content that is mounted if it does. */
  then: WorkflowNode;
  /** Names the rule, in the tree and in its group `<table>-<label>`. @default `rule-` and its place */
  label?: string;
}

/** Props of `DecisionTable`. */
export interface DecisionTableProps {
  /** Prefix of the groups `<id>-<rule>`, which say in the tree which rule was chosen. @default "decision-table" */
  id?: string;
  /** From top to bottom. */
  rules: readonly DecisionRule[];
  /** Mounted when no rule matches, as `<id>-default`. @default nothing */
  default?: WorkflowNode;
  /** `first-match`: the first rule that matches; `all-match`: all that do, side by side. @default "first-match" */
  strategy?: "first-match" | "all-match";
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
}

const RULES = {
  id: withDefault(name, "decision-table"),
  rules: required(nonEmptyList),
  default: anything,
  strategy: withDefault(oneOf(["first-match", "all-match"]), "first-match"),
  skipIf: withDefault(flag, false),
} satisfies PropRules<DecisionTableProps>;

// A promise or a function would always match, and what is not known yet is for the author to decide.
const RULE: ItemRules<DecisionRule> = {
  what: "a rule",
  // biome-ignore lint/suspicious/noThenProperty: a field of the public shape, never awaited
  fields: { when: required(flag), then: anything, label: name },
};

/**
 * Mounts what the matching rule says.
 * @example
 * <DecisionTable
 *   rules={[
 *     { when: total > 1_000, then: <Task id="ask" output={outputs.review} agent={reviewer}>May we?</Task> },
 *     { when: total > 0, then: <Task id="ship" output={outputs.shipment}>{{ text: "shipped" }}</Task> },
 *   ]}
 *   default={<Task id="none" output={outputs.report}>{{ message: "Nothing to do." }}</Task>}
 * />
 * @see `docs/components/decision-table.md`
 */
export function DecisionTable(given: DecisionTableProps): WorkflowElement {
  const { composite, props } = checkProps("DecisionTable", given, RULES);
  const { id, strategy, rules } = props;
  checkItems(composite, { prop: "rules", list: rules, rules: RULE });
  const matching = rules
    .map(({ when, then, label }, index) => ({
      when,
      then,
      group: itemId(id, label ?? `rule-${index}`),
      key: `rule-${index}`,
    }))
    .filter(({ when }) => when);
  const chosen = strategy === "first-match" ? matching.slice(0, 1) : matching;
  return partsOf(
    composite,
    <Parallel id={id} skipIf={props.skipIf}>
      {chosen.map(({ then, group, key }) => (
        <Parallel key={key} id={group}>
          <Sequence>{then}</Sequence>
        </Parallel>
      ))}
      {matching.length > 0 || props.default === undefined ? null : (
        <Parallel key="default" id={`${id}-default`}>
          <Sequence>{props.default}</Sequence>
        </Parallel>
      )}
    </Parallel>,
  );
}
