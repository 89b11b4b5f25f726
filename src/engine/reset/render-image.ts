import type { RenderedFrame } from "../../model/graph.js";
import type { RunImage } from "../../store/contract.js";
import { openSession } from "../session/open-session.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { render } from "../turn/render-pending.js";

/** The frame that a resume of the run would begin with. */
export function renderImage(
  services: EngineServices,
  workflow: EngineWorkflow,
  image: RunImage,
): RenderedFrame {
  const session = openSession(services, {
    runId: image.run.runId,
    workflow,
    workflowPath: image.run.workflowPath,
    input: image.input,
    config: image.run.config,
    status: image.run.status,
    followContinuation: false,
    nodes: image.nodes,
    controls: image.controls,
    outputs: image.outputs,
  });
  try {
    return render(session);
  } finally {
    session.frames.dispose();
    session.mailbox.close();
  }
}
