/** @jsxImportSource react */
import { useId, useState } from "react";
import { useClient } from "../../../react/index.js";
import { places } from "../../frame/places.js";
import { useRouter } from "../../frame/router.js";
import { ConfirmDialog } from "../../parts/ConfirmDialog.js";
import { Problem } from "../../parts/Reading.js";
import { treadleCommand } from "../../../util/treadle-command.js";
import { shown } from "../../parts/text.js";
import type { FramePlace } from "./frame-place.js";
import { KeyList } from "./KeyList.js";
import { usePreview } from "./use-preview.js";

/** Shows what a new run of this frame would begin with, before it makes it. */
export function ForkDialog({ place, onClose }: { place: FramePlace; onClose(): void }) {
  const { runId, frameNo } = place;
  const client = useClient();
  const { go } = useRouter();
  const [label, setLabel] = useState("");
  const id = useId();
  const { preview, problem } = usePreview(() => client.forkRun({ runId, frameNo, dryRun: true }));
  return (
    <ConfirmDialog
      title={`Fork frame ${frameNo}?`}
      verb="Fork"
      command={treadleCommand("fork", [runId], {
        frame: frameNo,
        label: label.trim() === "" ? undefined : label,
      })}
      onClose={onClose}
      onConfirm={async () => {
        const made = await client.forkRun({ runId, frameNo, ...(label.trim() !== "" && { label }) });
        if (made.runId !== null) go(places.run(made.runId));
      }}
    >
      <p>
        A new run begins as <code>{shown(runId)}</code> was then, and waits to be resumed. This run stays as
        it is.
      </p>
      {problem !== null && <Problem text={problem} />}
      {preview === null && problem === null && <p className="hint">Looking what it would keep…</p>}
      {preview !== null && (
        <>
          <KeyList text="Done already in the new run" keys={preview.keptNodes} />
          <KeyList text="Begin anew in it, although they have begun here since" keys={preview.laterNodes} />
        </>
      )}
      <label htmlFor={id}>Name (optional)</label>
      <input id={id} maxLength={256} value={label} onChange={(event) => setLabel(event.target.value)} />
    </ConfirmDialog>
  );
}
