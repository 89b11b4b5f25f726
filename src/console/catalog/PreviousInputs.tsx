/** @jsxImportSource react */
import { useId } from "react";
import { useMethod } from "../../react/index.js";
import { lookOf } from "../parts/State.js";
import { shownShort } from "../parts/text.js";

interface PreviousInputsProps {
  workflowKey: string;
  onChoose(input: Record<string, unknown>): void;
}

/** What earlier runs of the workflow were started with. */
export function PreviousInputs({ workflowKey, onChoose }: PreviousInputsProps) {
  const id = useId();
  const inputs = useMethod("listInputs", { workflow: workflowKey }).data?.inputs ?? [];
  if (inputs.length === 0) return null;
  return (
    <div className="field">
      <label htmlFor={id}>Earlier inputs</label>
      <select
        id={id}
        value=""
        onChange={({ target }) => {
          const chosen = inputs.find(({ runId }) => runId === target.value);
          if (chosen !== undefined) onChoose(chosen.input);
        }}
      >
        <option value="">Take one…</option>
        {inputs.map(({ runId, input, status, createdAtMs }) => (
          <option key={runId} value={runId}>
            {new Date(createdAtMs).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })},{" "}
            {lookOf(status).text}: {shownShort(JSON.stringify(input), 80)}
          </option>
        ))}
      </select>
    </div>
  );
}
