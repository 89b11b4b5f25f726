/** @jsxImportSource react */
import { useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useClient } from "../../react/index.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { ActionButton } from "../parts/ActionButton.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { CopyButton } from "../parts/CopyButton.js";
import { explained } from "../parts/explained.js";
import { Problem } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import type { ListedRun, Selection } from "./selection.js";

interface BulkBarProps {
  selected: Selection;
  /** The list that they were chosen from, and whether it goes on behind this page. */
  list: { name: string; filter: GatewayMethods["listRuns"]["params"]; hasMore: boolean };
  onSelect(selected: Selection): void;
}

type Verb = "Cancel" | "Resume" | "Retry";

interface Outcome {
  verb: Verb;
  done: number;
  refused: readonly { runId: string; reason: string }[];
  total: number;
}

/** Runs that are chosen with one press at most: what is done to more of them belongs into a terminal, with its filters. */
const MOST_CHOSEN = 500;
/** Ids that stand in a command at most. */
const MOST_NAMED = 20;

/** What can be done with the chosen runs; how far it has come stays to be read. */
export function BulkBar({ selected, list, onSelect }: BulkBarProps) {
  const client = useClient();
  const [asked, setAsked] = useState<Verb | null>(null);
  const [acceptWorkflowChange, setAccept] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const all = [...selected.values()];
  const failed = all.filter(({ status }) => status === "failed");
  const meant = asked === "Retry" ? failed : all;
  const carryOut = async (verb: Verb, runs: readonly ListedRun[]) => {
    let result: Outcome = { verb, done: 0, refused: [], total: runs.length };
    setOutcome(result);
    for (const { runId } of runs) {
      try {
        if (verb === "Cancel") await client.cancelRun({ runId, reason: "cancelled in the console" });
        else await client.resumeRun({ runId, ...(verb === "Retry" && { acceptWorkflowChange }) });
        result = { ...result, done: result.done + 1 };
      } catch (error) {
        result = { ...result, refused: [...result.refused, { runId, reason: explained(error as Error) }] };
      }
      setOutcome(result);
    }
  };
  const selectAll = async () => {
    setProblem(null);
    try {
      const { runs } = await client.listRuns({ ...list.filter, limit: MOST_CHOSEN });
      onSelect(new Map(runs.map((run) => [run.runId, run])));
    } catch (error) {
      setProblem(explained(error as Error));
    }
  };
  return (
    <div className="bulk">
      <strong>{selected.size} selected</strong>
      {list.hasMore && selected.size < MOST_CHOSEN && (
        <button type="button" className="plain" onClick={() => void selectAll()}>
          Select the newest {MOST_CHOSEN} of this list
        </button>
      )}
      {failed.length > 0 && (
        <ActionButton method="resumeRun" icon="retry" onClick={() => setAsked("Retry")}>
          Retry {failed.length} failed…
        </ActionButton>
      )}
      <ActionButton method="resumeRun" icon="play" onClick={() => setAsked("Resume")}>
        Resume…
      </ActionButton>
      <ActionButton method="cancelRun" icon="slash" onClick={() => setAsked("Cancel")}>
        Cancel…
      </ActionButton>
      <button type="button" className="plain" onClick={() => onSelect(new Map())}>
        Clear
      </button>
      {problem !== null && <Problem text={problem} />}
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
          title={`${asked} ${counted(meant.length, asked)}?`}
          verb={`${asked} ${meant.length}`}
          isDangerous={asked === "Cancel"}
          onClose={() => setAsked(null)}
          onConfirm={async () => void carryOut(asked, meant)}
        >
          <p>
            They were chosen from the list “{list.name}”. Those that are not in a state for it are left as
            they are.
          </p>
          {asked === "Retry" && (
            <>
              <p>What has finished stays; what failed starts again.</p>
              <label className="check">
                <input
                  type="checkbox"
                  checked={acceptWorkflowChange}
                  onChange={(event) => setAccept(event.target.checked)}
                />
                Also those whose workflow has changed since
              </label>
            </>
          )}
          {meant.length <= MOST_NAMED && (
            <Command verb={asked} runs={meant} acceptWorkflowChange={acceptWorkflowChange} />
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}

function Command({
  verb,
  runs,
  acceptWorkflowChange,
}: {
  verb: Verb;
  runs: readonly ListedRun[];
  acceptWorkflowChange: boolean;
}) {
  const ids = runs.map(({ runId }) => runId);
  const text =
    verb === "Retry"
      ? treadleCommand("retry", ids, { "accept-workflow-change": acceptWorkflowChange, yes: true })
      : ids.map((id) => (verb === "Cancel" ? cancelling(id) : resuming(id))).join("\n");
  return (
    <p>
      <CopyButton text={text} what="the command for a terminal" label="Copy the command" />
    </p>
  );
}

const cancelling = (runId: string) => treadleCommand("cancel", [runId], { yes: true });
const resuming = (runId: string) => treadleCommand("up", [], { resume: runId });

function counted(count: number, verb: Verb): string {
  const runs = verb === "Retry" ? "failed run" : "run";
  return `${count} ${runs}${count === 1 ? "" : "s"}`;
}
