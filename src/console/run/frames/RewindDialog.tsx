/** @jsxImportSource react */
import { useState } from "react";
import { useClient } from "../../../react/index.js";
import { treadleCommand } from "../../../util/treadle-command.js";
import { ConfirmDialog } from "../../parts/ConfirmDialog.js";
import { useNotice } from "../../parts/notices.js";
import { Problem } from "../../parts/Reading.js";
import type { FramePlace } from "./frame-place.js";
import { KeyList } from "./KeyList.js";
import { usePreview } from "./use-preview.js";

/** Shows what going back would discard, before the run goes back. */
export function RewindDialog({ place, onClose }: { place: FramePlace; onClose(): void }) {
  const client = useClient();
  const kept = useNotice();
  const [acceptEffects, setAcceptEffects] = useState(false);
  const { preview, problem } = usePreview(() => client.rewindRun({ ...place, dryRun: true }));
  return (
    <ConfirmDialog
      title={`Rewind to frame ${place.frameNo}?`}
      verb="Rewind"
      command={treadleCommand("rewind", [place.runId, String(place.frameNo)], {
        "accept-effects": acceptEffects,
      })}
      isDangerous
      onClose={onClose}
      onConfirm={() =>
        kept(client.rewindRun({ ...place, acceptEffects }), {
          said: `The run is back at frame ${place.frameNo}.`,
          events: { type: "RunRewound" },
        })
      }
    >
      <p>The run becomes what it was then, and waits to be resumed. Its log and its frames stay.</p>
      {problem !== null && <Problem text={problem} />}
      {preview === null && problem === null && <p className="hint">Looking what it would discard…</p>}
      {preview !== null && (
        <>
          <KeyList text="Lose their rows and run again" keys={preview.resetNodes} />
          <KeyList text="Get back the row that they had then" keys={preview.restoredNodes} />
          <KeyList text="Are undone by their tools, in this order" keys={preview.reverts} />
          {preview.effects.length + preview.undone.length > 0 && (
            <>
              <KeyList text="Were undone, and have their rows in the frame" keys={preview.undone} />
              <KeyList text="Have changed something outside, and may do so again" keys={preview.effects} />
              <label className="check">
                <input
                  type="checkbox"
                  checked={acceptEffects}
                  onChange={(event) => setAcceptEffects(event.target.checked)}
                />
                Rewind all the same
              </label>
            </>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}
