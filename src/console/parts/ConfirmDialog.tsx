/** @jsxImportSource react */
import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactNode, useState } from "react";
import { CopyButton } from "./CopyButton.js";
import { Icon } from "./Icon.js";
import { explained } from "./explained.js";
import { Problem } from "./Reading.js";

interface ConfirmDialogProps {
  title: string;
  /** The word on the button that does it. */
  verb: string;
  isDangerous?: boolean;
  /** What does the same in a terminal. */
  command?: string;
  /** Rejects where it was not done; the dialog stays and says why. */
  onConfirm(): Promise<unknown>;
  onClose(): void;
  children?: ReactNode;
}

/** Asks once more before something happens. Its first focus is on the way back. */
export function ConfirmDialog({
  title,
  verb,
  isDangerous,
  command,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = async () => {
    setPending(true);
    setProblem(null);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(explained(error as Error));
    }
    setPending(false);
  };
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
          <div className="dialog-body">{children}</div>
          {problem !== null && <Problem text={problem} />}
          <div className="buttons end">
            {command !== undefined && (
              <CopyButton text={command} what="the command line for this" label="Copy command" />
            )}
            <AlertDialog.Close className="button">Back</AlertDialog.Close>
            <button
              type="button"
              className={isDangerous ? "button danger" : "button main"}
              disabled={isPending}
              onClick={() => void confirm()}
            >
              {isPending && <Icon name="clock" />} {verb}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
