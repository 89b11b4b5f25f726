/** @jsxImportSource react */
import { useState } from "react";
import { useClient } from "../../react/index.js";
import { ActionButton } from "../parts/ActionButton.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { explained } from "../parts/explained.js";
import { shown } from "../parts/text.js";

interface BulkBarProps {
  runIds: readonly string[];
  /** Name of the list that they were chosen from. */
  filter: string;
  onClear(): void;
}

type Verb = "Cancel" | "Resume";

interface Outcome {
  verb: Verb;
  done: number;
  refused: readonly { runId: string; reason: string }[];
  total: number;
}

/** What can be done with the chosen runs; how far it has come stays to be read. */
export function BulkBar({ runIds, filter, onClear }: BulkBarProps) {
  const client = useClient();
  const [asked, setAsked] = useState<Verb | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const carryOut = async (verb: Verb) => {
    let result: Outcome = { verb, done: 0, refused: [], total: runIds.length };
    setOutcome(result);
    for (const runId of runIds) {
      try {
        if (verb === "Cancel") await client.cancelRun({ runId, reason: "cancelled in the console" });
        else await client.resumeRun({ runId });
        result = { ...result, done: result.done + 1 };
      } catch (error) {
        result = { ...result, refused: [...result.refused, { runId, reason: explained(error as Error) }] };
      }
      setOutcome(result);
    }
  };
  return (
    <div className="bulk">
      <strong>{runIds.length} selected</strong>
      <ActionButton method="cancelRun" icon="slash" onClick={() => setAsked("Cancel")}>
        Cancel…
      </ActionButton>
      <ActionButton method="resumeRun" icon="play" onClick={() => setAsked("Resume")}>
        Resume…
      </ActionButton>
      <button type="button" className="plain" onClick={onClear}>
        Clear
      </button>
      {outcome !== null && (
        <div role="status">
          {outcome.verb}: {outcome.done} of {outcome.total} done
          {outcome.refused.length > 0 && <>, {outcome.refused.length} refused</>}
          {outcome.refused.slice(0, 5).map(({ runId, reason }) => (
            <p key={runId} className="hint">
              <code>{shown(runId)}</code> {shown(reason)}
            </p>
          ))}
        </div>
      )}
      {asked !== null && (
        <ConfirmDialog
          title={`${asked} ${runIds.length} runs?`}
          verb={`${asked} ${runIds.length}`}
          isDangerous={asked === "Cancel"}
          onClose={() => setAsked(null)}
          onConfirm={async () => void carryOut(asked)}
        >
          <p>
            They were chosen from the list “{filter}”. Those that are not in a state for it are left as they
            are.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
