/** @jsxImportSource react */
import { useId, useState } from "react";
import { ClientError } from "../../client/index.js";
import { useClient, useMethod } from "../../react/index.js";
import { isRecord } from "../../util/is-record.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { type PathProblems, problemsOf } from "../form/problems.js";
import { WrittenForm } from "../form/WrittenForm.js";
import { readWritten, writtenOf } from "../form/written.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { useNotice } from "../parts/notices.js";
import { shown } from "../parts/text.js";
import type { NodeAddress } from "./use-node-log.js";

/** Gives a task its row, in the form of its schema. */
export function CompleteDialog({ task, onClose }: { task: NodeAddress; onClose(): void }) {
  const client = useClient();
  const kept = useNotice();
  const { data, isLoading } = useMethod("inspectTask", task);
  const [row, setRow] = useState(() => writtenOf(undefined, false));
  const [note, setNote] = useState("");
  const [problems, setProblems] = useState<PathProblems>({});
  const id = useId();
  const { runId, nodeId, iteration } = task;
  const read = readWritten(row);
  const complete = async () => {
    setProblems({});
    if ("problem" in read) throw new ClientError({ code: "INVALID_INPUT", message: read.problem });
    if (!isRecord(read.data)) {
      throw new ClientError({ code: "INVALID_INPUT", message: "The row has to be a JSON object." });
    }
    try {
      await kept(client.completeTask({ ...task, output: read.data, ...(note !== "" && { note }) }), {
        said: `Your row for ${shown(nodeId)} has been kept.`,
        events: { node: nodeId, type: ["NodeCompletedByHand", "InterventionRefused"] },
      });
    } catch (error) {
      setProblems(problemsOf(error as Error, read.data));
      throw error;
    }
  };
  return (
    <ConfirmDialog
      title={`Complete ${shown(nodeId)} by hand?`}
      verb="Complete the task"
      command={treadleCommand("complete-task", [runId, nodeId], {
        iteration: iteration || undefined,
        data: "data" in read ? JSON.stringify(read.data) : undefined,
        note: note === "" ? undefined : note,
      })}
      onClose={onClose}
      onConfirm={complete}
    >
      <p>The task gets this row in the place of an attempt. A run that has failed with it continues.</p>
      {isLoading ? (
        <p className="hint">Loading…</p>
      ) : (
        <WrittenForm
          schema={data?.answerSchema}
          name="Row"
          written={row}
          problems={problems}
          onChange={(change) => setRow(change)}
        />
      )}
      <label htmlFor={id}>Note (optional)</label>
      <input id={id} value={note} onChange={(event) => setNote(event.target.value)} />
    </ConfirmDialog>
  );
}
