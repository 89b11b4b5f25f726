import { controlId, pathOfScope } from "../../model/address.js";
import type { RenderRuntime } from "../../model/render-runtime.js";
import type { InlineState } from "../../model/plan.js";
import { loopIteration, type SchedulerView } from "../../scheduler/index.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { runRoot } from "../run-root.js";
import type { RunSession } from "../session/session.js";
import { type ContextSource, createContext } from "./context.js";
import { frozenCopy } from "../../util/frozen-copy.js";
import { currentIteration, iterationsById, type OutlineView } from "./outline.js";
import type { OutputIndex } from "./outputs.js";
import { readFailure } from "./read-failure.js";
import type { RenderReads } from "./reads.js";
import { ShownOutputs } from "./shown-outputs.js";

export interface RenderParts {
  outputs: OutputIndex;
  reads: RenderReads;
  outline: OutlineView;
  workflow: EngineWorkflow;
  services: EngineServices;
}

/** The part of a session that components read. It is asked for when a frame is rendered: the session is complete by then. */
export function renderRuntime(session: () => RunSession, parts: RenderParts): RenderRuntime {
  const source = contextSource(session, parts);
  return {
    ctxFor: (loops) => createContext(source(), loops),
    control(id) {
      const { state } = session();
      const control = state.controls.get(id) ?? formerInline(state, id);
      if (control !== undefined) return control;
      // A loop that has not been mounted yet starts where the run's options say.
      const iteration = loopIteration(state, id);
      return iteration === 0 ? undefined : { kind: "loop", id, iteration, done: false, exhausted: false };
    },
    failure: (nodeId, rounds) =>
      parts.reads.answered(`failure ${controlId(nodeId, rounds)}`, () =>
        readFailure(session(), { nodeId, rounds }),
      ),
    *controlIds() {
      const { controls, initialIterations } = session().state;
      yield* controls.keys();
      yield* Object.keys(initialIterations);
    },
    hasNode: (nodeId) => session().state.latest.has(nodeId),
    get rootDir() {
      return runRoot(session().config);
    },
    get queue() {
      return session().config.queue ?? null;
    },
  };
}

/** Runs that were stored before scopes were kept have ids as they are written. */
function formerInline(
  { controls, latest, newestNested }: SchedulerView,
  id: string,
): InlineState | undefined {
  const path = pathOfScope(id);
  if (path === undefined || (!latest.has(path) && !newestNested.has(path))) return undefined;
  for (const { kind } of controls.values()) if (kind === "inline") return undefined;
  return { kind: "inline", id, prefix: "" };
}

function contextSource(session: () => RunSession, parts: RenderParts): () => ContextSource {
  let source: ContextSource | undefined;
  return () => {
    source ??= createSource(session(), parts);
    return source;
  };
}

function createSource(session: RunSession, parts: RenderParts): ContextSource {
  const { workflow, outputs, reads, outline, services } = parts;
  const state = () => session.state;
  return {
    runId: session.runId,
    input: frozenCopy(session.input),
    auth: frozenCopy(session.config.auth ?? null),
    config: frozenCopy(session.config.config ?? {}),
    continuation: frozenCopy(session.config.continuation?.state),
    outputs: new ShownOutputs(outputs),
    reads,
    outputKeys: workflow.outputKeys,
    outputKeyOf: (target) => workflow.outputKeyOf(target),
    tableName: (outputKey) => services.store.codec(outputKey).tableName,
    currentIteration() {
      outline.read();
      return reads.answered("iteration", () => currentIteration(state(), outline.newest));
    },
    iterations: () => iterationsById(state(), outline.read()),
    loopOf(nodeId) {
      const key = state().latest.get(nodeId);
      return key === undefined ? undefined : (state().nodes.get(key)?.row.loopId ?? undefined);
    },
    loopIteration: (controlId) => loopIteration(state(), controlId),
    nestedAs: (nodeId) => outline.read().nested.get(nodeId) ?? state().newestNested.get(nodeId),
  };
}
