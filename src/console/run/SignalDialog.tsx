/** @jsxImportSource react */
import { useState } from "react";
import type { TaskPlace } from "../../model/address.js";
import type { Remedy } from "../../model/remedy.js";
import { ClientError } from "../../client/index.js";
import { useClient, useMethod } from "../../react/index.js";
import { type PathProblems, problemsOf } from "../form/problems.js";
import { WrittenForm } from "../form/WrittenForm.js";
import { readWritten, writtenOf } from "../form/written.js";
import { isRecord } from "../../util/is-record.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { useNotice } from "../parts/notices.js";
import { shown } from "../parts/text.js";

interface SignalDialogProps {
  remedy: Extract<Remedy, { action: "signal" }>;
  /** The task that waits for it; undefined where that is not known. */
  waiter: TaskPlace | undefined;
  onClose(): void;
}

/** Sends the signal that a run waits for. */
export function SignalDialog({ remedy, waiter, onClose }: SignalDialogProps) {
  const { runId } = remedy;
  const { data, isLoading } = useMethod(
    "inspectTask",
    waiter === undefined ? null : { runId, nodeId: waiter.nodeId, iteration: waiter.iteration },
  );
  if (isLoading) return null;
  return <Sending remedy={remedy} schema={data?.answerSchema} onClose={onClose} />;
}

interface SendingProps extends Omit<SignalDialogProps, "waiter"> {
  /** JSON Schema of the data; none where it is not kept. */
  schema: unknown;
}

/** Its data in the controls of their schema or, without one, as JSON that begins with what the run expects. */
function Sending({ remedy, schema, onClose }: SendingProps) {
  const client = useClient();
  const kept = useNotice();
  const { runId, signal, correlationId, example = {} } = remedy;
  const [written, setWritten] = useState(() =>
    isRecord(schema) ? writtenOf(undefined, false) : writtenOf(example, true),
  );
  const [problems, setProblems] = useState<PathProblems>({});
  const read = readWritten(written);
  const send = async () => {
    setProblems({});
    if ("problem" in read) throw new ClientError({ code: "INVALID_INPUT", message: read.problem });
    const { data } = read;
    try {
      const request = { runId, signal, data, ...(correlationId !== undefined && { correlationId }) };
      await kept(client.submitSignal(request), {
        said: `Your signal “${shown(signal)}” has been kept.`,
        events: { category: "signal" },
      });
    } catch (error) {
      setProblems(problemsOf(error as Error, data));
      throw error;
    }
  };
  return (
    <ConfirmDialog
      title={`Send the signal “${shown(signal)}”`}
      verb="Send"
      {...("data" in read && {
        command: treadleCommand("signal", [runId, signal], {
          correlation: correlationId,
          data: JSON.stringify(read.data),
        }),
      })}
      onClose={onClose}
      onConfirm={send}
    >
      {correlationId !== undefined && (
        <p className="hint">
          With the correlation id <code>{shown(correlationId)}</code>.
        </p>
      )}
      <WrittenForm
        schema={schema}
        name="Data"
        written={written}
        problems={problems}
        onChange={(change) => setWritten(change)}
      />
    </ConfirmDialog>
  );
}
