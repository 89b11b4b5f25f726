import type { EngineServices, EngineWorkflow } from "../ports.js";
import type { RunSession } from "../session/session.js";
import type { CodeView } from "./code-view.js";
import { renderRuntime } from "./context-source.js";
import { OutlineView } from "./outline.js";
import type { OutputIndex } from "./outputs.js";
import { RenderReads } from "./reads.js";

export interface ViewParts {
  readonly workflow: EngineWorkflow;
  readonly outputs: OutputIndex;
  readonly services: EngineServices;
  onInvalidate(): void;
  /** Structure version of the frame that its first one follows. @default 0 */
  readonly after?: number;
}

/** Nothing is rendered yet; the session is asked for when something is. */
export function openView(session: () => RunSession, parts: ViewParts): CodeView {
  const { workflow, outputs, services, onInvalidate, after } = parts;
  const reads = new RenderReads();
  const outline = new OutlineView();
  const runtime = renderRuntime(session, { outputs, reads, outline, workflow, services });
  const frames = workflow.createFrameSource(runtime, { onInvalidate, after });
  return { workflow, frames, reads, outline };
}
