import type { ZodType } from "zod";
import { answerJsonSchema } from "../agents/structured/answer-schema.js";
import type { WorkflowNode } from "../util/element.js";
import { jsx } from "../../jsx-runtime/jsx-runtime.js";
import {
  type AnswerSchema,
  PromptSchemaContext,
  renderableSchema,
  type SchemaOfTask,
} from "../../jsx-runtime/prompt-schema.js";
import { WorkflowRoot } from "../components/WorkflowRoot.js";
import { ServiceError } from "../errors/service-error.js";
import { createExtractor } from "../graph/extract.js";
import type { WorkflowContext } from "../model/context.js";
import type { RenderedFrame } from "../model/graph.js";
import type { OutputRegistry, RenderRuntime } from "../model/render-runtime.js";
import { createTreeRenderer } from "../renderer/render-tree.js";

export interface FrameRendererOptions {
  /** The workflow's build function. */
  build(ctx: WorkflowContext): WorkflowNode;
  /** The run being drawn; it may answer differently in each frame. */
  runtime: RenderRuntime;
  registry: OutputRegistry;
  /** Structure version of the frame that the first one follows: of another renderer of the same run. @default 0 */
  after?: number | undefined;
  /** A component changed its state by itself (an effect, a timer): a new frame is due. */
  onInvalidate?(): void;
}

export interface FrameRenderer {
  /**
   * Renders the workflow and reads its frame. Synchronous. As long as the
   * structure stays the same it answers the same frame object; functions, rows
   * and prompts in its descriptors are then the newest ones nevertheless.
   *
   * @throws WORKFLOW_RENDER_FAILED when a component throws, or the
   * code it threw; TASK_ID_REQUIRED, DUPLICATE_ID, UNKNOWN_OUTPUT_SCHEMA and the
   * like for a tree that is not a valid workflow. The renderer stays usable.
   */
  render(): RenderedFrame;
  /** Unmounts the tree, so that effects are cleaned up. */
  dispose(): void;
}

/**
 * Each render may teach one level of nested loops without ids their iteration.
 * Deeper nesting than this is a tree that never settles.
 */
const MOST_PASSES = 20;

/**
 * Draws the frames of one run.
 *
 * @example
 * const renderer = createFrameRenderer({ build: workflow.build, runtime, registry });
 * const { plan, tasks, structureVersion } = renderer.render();
 */
export function createFrameRenderer(options: FrameRendererOptions): FrameRenderer {
  const { build, runtime, registry } = options;
  const tree = createTreeRenderer({ onInvalidate: () => options.onInvalidate?.() });
  const extractor = createExtractor(tree.root, { registry, runtime, after: options.after });
  const value = promptSchemas(registry);
  return {
    render() {
      for (let pass = 0; pass < MOST_PASSES; pass += 1) {
        tree.render(
          jsx(PromptSchemaContext, { value, children: jsx(WorkflowRoot, { build, runtime, registry }) }),
        );
        const { frame, needsRender } = extractor.extract();
        if (!needsRender) return frame;
      }
      throw new ServiceError(
        "WORKFLOW_RENDER_FAILED",
        `The iterations of the workflow's loops did not settle in ${MOST_PASSES} renders.`,
      );
    },
    dispose: () => tree.dispose(),
  };
}

/** The answer schemas of a workflow's tasks; a target that is no output of it is reported when its task is read. */
function promptSchemas(registry: OutputRegistry): SchemaOfTask {
  const known = new WeakMap<ZodType, AnswerSchema>();
  return ({ output, outputSchema }) => {
    const schema = outputSchema ?? registry.resolveOutput(output)?.zodSchema ?? output;
    if (!isSchema(schema)) return undefined;
    const answer = known.get(schema) ?? renderableSchema(answerJsonSchema(schema));
    known.set(schema, answer);
    return answer;
  };
}

function isSchema(value: unknown): value is ZodType {
  return typeof value === "object" && value !== null && "_zod" in value;
}
