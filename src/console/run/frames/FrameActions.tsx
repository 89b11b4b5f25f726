/** @jsxImportSource react */
import { useState } from "react";
import { treadleCommand } from "../../../util/treadle-command.js";
import { ActionButton } from "../../parts/ActionButton.js";
import { CopyButton } from "../../parts/CopyButton.js";
import { ForkDialog } from "./ForkDialog.js";
import type { FramePlace } from "./frame-place.js";
import { RewindDialog } from "./RewindDialog.js";

/** Makes a new run of the frame, or takes this one back to it. */
export function FrameActions(place: FramePlace) {
  const { runId, frameNo } = place;
  const [asked, setAsked] = useState<"fork" | "rewind" | null>(null);
  const close = () => setAsked(null);
  return (
    <div className="actions">
      <span className="remedy">
        <ActionButton method="forkRun" icon="branch" onClick={() => setAsked("fork")}>
          Fork…
        </ActionButton>
        <CopyButton text={treadleCommand("fork", [runId], { frame: frameNo })} what="“treadle fork”" />
      </span>
      <span className="remedy">
        <ActionButton method="rewindRun" icon="retry" onClick={() => setAsked("rewind")}>
          Rewind…
        </ActionButton>
        <CopyButton text={treadleCommand("rewind", [runId, String(frameNo)])} what="“treadle rewind”" />
      </span>
      {asked === "fork" && <ForkDialog place={place} onClose={close} />}
      {asked === "rewind" && <RewindDialog place={place} onClose={close} />}
    </div>
  );
}
