/** @jsxImportSource react */
import { useState } from "react";
import type { TaskPlace } from "../../model/address.js";
import type { Remedy } from "../../model/remedy.js";
import { remedyCommand } from "../../operations/index.js";
import { useClient } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { ActionButton } from "../parts/ActionButton.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { CopyButton } from "../parts/CopyButton.js";
import { RetryDialog } from "./RetryDialog.js";
import { SignalDialog } from "./SignalDialog.js";

interface RemedyButtonProps {
  remedy: Remedy;
  /** The task that the obstacle keeps from continuing; undefined where it is none. */
  waiter?: TaskPlace | undefined;
}

/** What removes an obstacle: done here where the gateway can do it, and always to be had as a command. */
export function RemedyButton({ remedy, waiter }: RemedyButtonProps) {
  return (
    <span className="remedy">
      <Deed remedy={remedy} waiter={waiter} />
      <CopyButton text={remedyCommand(remedy)} what="the command line for this" />
    </span>
  );
}

function Deed({ remedy, waiter }: RemedyButtonProps) {
  const client = useClient();
  const [isAsked, setAsked] = useState(false);
  const open = () => setAsked(true);
  const close = () => setAsked(false);
  switch (remedy.action) {
    case "resume": {
      const { runId, acceptWorkflowChange } = remedy;
      return (
        <>
          <ActionButton method="resumeRun" icon="play" onClick={open}>
            Resume…
          </ActionButton>
          {isAsked && (
            <ConfirmDialog
              title="Resume the run?"
              verb="Resume"
              command={remedyCommand(remedy)}
              onClose={close}
              onConfirm={() =>
                client.resumeRun({ runId, ...(acceptWorkflowChange && { acceptWorkflowChange }) })
              }
            >
              <p>Finished tasks keep their rows; what was under way starts again.</p>
              {acceptWorkflowChange && <p>The code has changed since: it continues with the new code.</p>}
            </ConfirmDialog>
          )}
        </>
      );
    }
    case "signal":
      return (
        <>
          <ActionButton method="submitSignal" icon="signal" onClick={open}>
            Send signal…
          </ActionButton>
          {isAsked && <SignalDialog remedy={remedy} waiter={waiter} onClose={close} />}
        </>
      );
    case "retry-task":
      return (
        <>
          <ActionButton method="retryTask" icon="retry" onClick={open}>
            Retry task…
          </ActionButton>
          {isAsked && <RetryDialog task={remedy} onClose={close} />}
        </>
      );
    case "events":
      return (
        <Link
          className="button"
          to={places.events(remedy.runId, { node: remedy.nodeId, type: remedy.types })}
        >
          Show events
        </Link>
      );
    case "approve":
      return (
        <Link className="button" to={places.run(remedy.runId)}>
          Decide
        </Link>
      );
    default:
      return null;
  }
}
