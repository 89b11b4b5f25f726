import type { RenderedFrame } from "../../model/graph.js";
import type { RunImage } from "../../store/contract.js";
import { openRun } from "../session/open-run.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { render } from "../turn/render-pending.js";

/** The frame that a resume of the run would begin with. */
export function renderImage(
  services: EngineServices,
  workflow: EngineWorkflow,
  image: RunImage,
): RenderedFrame {
  const session = openRun(services, image, { workflow, followContinuation: false });
  try {
    return render(session);
  } finally {
    session.frames.dispose();
    session.mailbox.close();
  }
}
