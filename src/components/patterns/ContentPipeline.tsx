import type { AgentInput } from "../../model/agent.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import { anything, flag, name, required, withDefault } from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { useCtx } from "../use-ctx.js";
import { checkItems, type ItemRules } from "./check-items.js";
import { agent, checkProps, nonEmptyList, output, type PropRules } from "./check-props.js";
import { itemId } from "./item-id.js";
import { partsOf } from "./parts-of.js";
import { jsonSection, quotedTask, taskText } from "./prompt-parts.js";

/** One step of a pipeline. */
export interface ContentStage<S extends SchemaMap = SchemaMap> {
  /** Names it, in its node `<pipeline>-<id>`. */
  id: string;
  /** Does the step: one agent, or a chain. */
  agent: AgentInput | readonly AgentInput[];
  /** Takes its row. */
  output: OutputTarget<S>;
  /** The name of the step, part of its agent's prompt. @default the id */
  label?: string;
}

/** Props of `ContentPipeline`. */
export interface ContentPipelineProps<S extends SchemaMap = SchemaMap> {
  /** Prefix of the ids `<id>-<stage>`. @default "content-pipeline" */
  id?: string;
  /** One after the other; each is shown the row of the one before. */
  stages: readonly ContentStage<S>[];
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The content to make: the prompt of the first stage; the others see it too. */
  children?: WorkflowNode;
}

/** `ContentPipeline`, typed by the module's schemas. */
export type ContentPipelineComponent<S extends SchemaMap = SchemaMap> = (
  props: ContentPipelineProps<S>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "content-pipeline"),
  stages: required(nonEmptyList),
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<ContentPipelineProps>;

const STAGE: ItemRules<ContentStage> = {
  what: "a stage",
  fields: { id: required(name), agent: required(agent), output, label: name },
};

/**
 * Hands a piece of work from agent to agent.
 * @example
 * <ContentPipeline
 *   stages={[
 *     { id: "draft", agent: writer, output: outputs.draft },
 *     { id: "edit", agent: editor, output: outputs.draft, label: "Cut it by half" },
 *   ]}
 * >
 *   Write a page about looms.
 * </ContentPipeline>
 * @see `docs/components/content-pipeline.md`
 */
export function ContentPipeline(given: ContentPipelineProps): WorkflowElement {
  const { composite, props } = checkProps("ContentPipeline", given, RULES);
  const { id, stages, children } = props;
  checkItems(composite, { prop: "stages", list: stages, rules: STAGE, known: "id" });
  const ctx = useCtx();
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      {stages.map((stage, index) => {
        const nodeId = itemId(id, stage.id);
        const label = stage.label ?? stage.id;
        const before = stages[index - 1];
        return (
          <Task key={nodeId} id={nodeId} output={stage.output} agent={stage.agent} label={label}>
            {before === undefined ? taskText(children) : null}
            {before === undefined && stage.label === undefined ? null : <p>Your step: {label}</p>}
            {before === undefined ? null : quotedTask("The whole task", children)}
            {before === undefined
              ? null
              : jsonSection(
                  `Result of the step before: ${before.label ?? before.id}`,
                  ctx.outputMaybe(before.output, { nodeId: itemId(id, before.id) }),
                )}
          </Task>
        );
      })}
    </Sequence>,
  );
}
