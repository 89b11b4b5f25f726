/** @jsxImportSource react */
import { Menu } from "@base-ui/react/menu";
import { useId, useState } from "react";
import { isTerminal } from "../../model/run.js";
import { useClient } from "../../react/index.js";
import { places } from "../frame/places.js";
import { useRouter } from "../frame/router.js";
import { ActionButton } from "../parts/ActionButton.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { Icon } from "../parts/Icon.js";
import { saveFile } from "../parts/save-file.js";
import { shown } from "../parts/text.js";
import { treadleCommand } from "../../util/treadle-command.js";
import type { Inspection } from "./inspection.js";

type Asked = "cancel" | "resume" | null;

/** States in which a process has to be asked to continue with the run. */
const RESUMABLE = new Set(["stale", "orphaned", "stopped", "failed", "cancelled"]);

/** What can be done with the run in the state that it is in. */
export function RunActions({ inspection }: { inspection: Inspection }) {
  const { run, input } = inspection;
  const { runId, workflowKey } = run;
  const client = useClient();
  const { go } = useRouter();
  const [asked, setAsked] = useState<Asked>(null);
  const [reason, setReason] = useState("");
  const id = useId();
  const close = () => setAsked(null);
  const copy = (text: string) => void navigator.clipboard.writeText(text);
  return (
    <div className="actions">
      {!isTerminal(run.status) && (
        <ActionButton method="cancelRun" icon="slash" onClick={() => setAsked("cancel")}>
          Cancel…
        </ActionButton>
      )}
      {RESUMABLE.has(run.runState) && (
        <ActionButton method="resumeRun" icon="play" onClick={() => setAsked("resume")}>
          Resume…
        </ActionButton>
      )}
      {workflowKey !== null && (
        <ActionButton
          method="launchRun"
          icon="retry"
          onClick={() => go(places.workflow(workflowKey, { from: runId }))}
        >
          Run again…
        </ActionButton>
      )}
      <Menu.Root>
        <Menu.Trigger className="button" aria-label="More actions">
          <Icon name="more" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner sideOffset={4} align="end">
            <Menu.Popup className="menu">
              <Menu.Item
                className="menu-item"
                onClick={() => saveFile(`${runId}.json`, JSON.stringify({ ...inspection, input }, null, 2))}
              >
                <Icon name="download" /> Download as JSON
              </Menu.Item>
              <Menu.Separator className="menu-line" />
              <Menu.Item className="menu-item" onClick={() => copy(treadleCommand("why", [runId]))}>
                <Icon name="copy" /> Copy “treadle why”
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => copy(treadleCommand("inspect", [runId]))}>
                <Icon name="copy" /> Copy “treadle inspect”
              </Menu.Item>
              <Menu.Item className="menu-item" onClick={() => copy(treadleCommand("cancel", [runId]))}>
                <Icon name="copy" /> Copy “treadle cancel”
              </Menu.Item>
              <Menu.Item
                className="menu-item"
                onClick={() => copy(treadleCommand("up", [], { resume: runId }))}
              >
                <Icon name="copy" /> Copy “treadle up --resume”
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {asked === "cancel" && (
        <ConfirmDialog
          title="Cancel the run?"
          verb="Cancel the run"
          isDangerous
          onClose={close}
          onConfirm={() => client.cancelRun({ runId, ...(reason !== "" && { reason }) })}
        >
          <p>
            <code>{shown(runId)}</code> of {shown(run.workflowName)}: tasks under way are aborted, what has
            finished stays.
          </p>
          <label htmlFor={id}>Reason (optional)</label>
          <input id={id} value={reason} onChange={(event) => setReason(event.target.value)} />
        </ConfirmDialog>
      )}
      {asked === "resume" && (
        <ConfirmDialog
          title="Resume the run?"
          verb="Resume"
          onClose={close}
          onConfirm={() => client.resumeRun({ runId })}
        >
          <p>Finished tasks keep their rows; what failed or was under way starts again.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
