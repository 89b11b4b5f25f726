import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import type { InputOf, OutputTarget, SchemaMap } from "../../model/schema.js";
import { embeddedView, keyOfTarget } from "../../model/context-view.js";
import { idInside } from "../../model/id-scope.js";
import type { InlineToken } from "../../model/render-runtime.js";
import { hostComponent } from "../host-component.js";
import { RenderPlaceContext, type RenderPlace, useRenderPlace } from "../render-place.js";
import type { LimitProps, OrderProps } from "./task-props.js";
import { standingFor } from "../standing-for.js";
import { useInlineScope } from "../use-inline-scope.js";

/** A workflow of any schemas: what `service(build)` returns. */
export interface EmbeddedWorkflow<C extends SchemaMap = SchemaMap> {
  /** The build function that `service` was given. */
  build(ctx: never): WorkflowNode;
  /** Never set: carries the schemas in the type. */
  readonly $schemas?: C;
}

/** Props of `Subflow`. */
export interface SubflowProps<S extends SchemaMap = SchemaMap, C extends SchemaMap = SchemaMap>
  extends OrderProps,
    LimitProps {
  /** Address of the node; unique in the workflow. */
  id: string;
  /** The workflow to run: the value that `service(build)` of the other module returned. */
  workflow: EmbeddedWorkflow<C>;
  /** The input of the other workflow. @default {} */
  input?: Readonly<InputOf<C>>;
  /**
   * `childRun`: a run of its own. `inline`: its tree becomes part of this one, so
   * its tasks write to this workflow's outputs, under ids that begin with `id` and a slash
   * where they are not free; limits such as `timeoutMs` are then for the tasks themselves. @default "childRun"
   */
  mode?: "childRun" | "inline";
  /** Takes the result: the row that the workflow writes to its output key `output`. */
  output: OutputTarget<S>;
}

/** `Subflow`, typed by the module's schemas. */
export type SubflowComponent<S extends SchemaMap = SchemaMap> = <C extends SchemaMap>(
  props: SubflowProps<S, C>,
) => WorkflowElement;

const SubflowElement = hostComponent<SubflowComponent>("Subflow");
const InlineElement =
  hostComponent<
    (
      props: Omit<SubflowProps, "key"> & { token: InlineToken; prefix: string; children: WorkflowNode },
    ) => WorkflowElement
  >("InlineSubflow");
const ResultElement =
  hostComponent<(props: Pick<SubflowProps, "id" | "output" | "label" | "meta">) => WorkflowElement>(
    "SubflowResult",
  );

/**
 * Another workflow as a step of this one.
 * @example
 * <Subflow id="build" workflow={buildWorkflow} input={{ target: "linux" }} output={outputs.build} />
 * @see `docs/components/subflow.md`
 */
export function Subflow(props: SubflowProps): WorkflowElement {
  return standingFor(
    props,
    props.mode === "inline" ? <InlineSubflow {...props} /> : <SubflowElement {...props} />,
  );
}

function InlineSubflow(props: SubflowProps): WorkflowElement {
  const { id, output, label, meta } = props;
  const place = useRenderPlace("<Subflow>");
  const { token, scope } = useInlineScope(id, place);
  const inner: RenderPlace = embeddedPlace({ ...place, scope }, props);
  return standingFor(
    props,
    <InlineElement {...props} token={token} prefix={scope.prefix}>
      <RenderPlaceContext value={inner}>
        <SubflowBuildFunction workflow={props.workflow} place={inner} />
      </RenderPlaceContext>
      {standingFor(
        props,
        <ResultElement
          id={id}
          output={output}
          {...(label !== undefined && { label })}
          {...(meta !== undefined && { meta })}
        />,
      )}
    </InlineElement>,
  );
}

function SubflowBuildFunction({
  workflow,
  place,
}: {
  workflow: EmbeddedWorkflow;
  place: RenderPlace;
}): WorkflowNode {
  return workflow.build(place.runtime.ctxFor(place.loops) as never);
}

function embeddedPlace(
  { runtime, schemaOf, loops, scope }: RenderPlace,
  { workflow, input = {} }: SubflowProps,
): RenderPlace {
  const view = { input, keyOf: (target: unknown) => keyOfTarget(workflow, target), scope, runtime };
  return {
    loops,
    scope,
    runtime: {
      ctxFor: (inside) => embeddedView(runtime.ctxFor(inside), view),
      control: (id) => runtime.control(id),
      failure: (nodeId, inside) => runtime.failure(idInside(scope, nodeId), inside),
      hasNode: (nodeId) => runtime.hasNode(nodeId),
      controlIds: () => runtime.controlIds(),
      rootDir: runtime.rootDir,
      queue: runtime.queue,
    },
    schemaOf: (target) => schemaOf(view.keyOf(target) ?? target),
  };
}
