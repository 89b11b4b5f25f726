/** @jsxImportSource react */
import { useId, useState } from "react";
import type { Remedy } from "../../model/remedy.js";
import { ClientError } from "../../client/index.js";
import { useClient } from "../../react/index.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { shown } from "../parts/text.js";

interface SignalDialogProps {
  remedy: Extract<Remedy, { action: "signal" }>;
  onClose(): void;
}

/** Sends the signal that a run waits for. It begins with data of the form that the run expects. */
export function SignalDialog({ remedy, onClose }: SignalDialogProps) {
  const client = useClient();
  const id = useId();
  const { runId, signal, correlationId, example = {} } = remedy;
  const [text, setText] = useState(() => JSON.stringify(example, null, 2));
  const send = async () => {
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch (error) {
      throw new ClientError({
        code: "INVALID_INPUT",
        message: `This is not JSON: ${(error as Error).message}`,
      });
    }
    await client.submitSignal({ runId, signal, data, ...(correlationId !== undefined && { correlationId }) });
  };
  return (
    <ConfirmDialog
      title={`Send the signal “${shown(signal)}”`}
      verb="Send"
      command={treadleCommand("signal", [runId, signal], { correlation: correlationId, data: text })}
      onClose={onClose}
      onConfirm={send}
    >
      {correlationId !== undefined && (
        <p className="hint">
          With the correlation id <code>{shown(correlationId)}</code>.
        </p>
      )}
      <label htmlFor={id}>Data, as JSON</label>
      <textarea
        id={id}
        rows={8}
        className="code"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </ConfirmDialog>
  );
}
