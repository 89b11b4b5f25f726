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
import { type BulkVerb, useBulkWork, workOnRuns } from "./bulk-work.js";
import type { ListedRun, Selection } from "./selection.js";

interface BulkBarProps {
  selected: Selection;
  /** The list that they were chosen from, and whether it goes on behind this page. */
  list: { name: string; filter: GatewayMethods["listRuns"]["params"]; hasMore: boolean };
  onSelect(selected: Selection): void;
}

/** Runs that are chosen with one press at most: what is done to more of them belongs into a terminal, with its filters. */
const MOST_CHOSEN = 500;
/** Ids that stand in a command at most. */
const MOST_NAMED = 20;

/** What can be done with the chosen runs. */
export function BulkBar({ selected, list, onSelect }: BulkBarProps) {
  const client = useClient();
  const [asked, setAsked] = useState<BulkVerb | null>(null);
  const [acceptWorkflowChange, setAccept] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isBusy = useBulkWork()?.isUnderWay === true;
  const all = [...selected.values()];
  const failed = all.filter(({ status }) => status === "failed");
  const meant = asked === "Retry" ? failed : all;
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
        <ActionButton method="resumeRun" icon="retry" isDisabled={isBusy} onClick={() => setAsked("Retry")}>
          Retry {failed.length} failed…
        </ActionButton>
      )}
      <ActionButton method="resumeRun" icon="play" isDisabled={isBusy} onClick={() => setAsked("Resume")}>
        Resume…
      </ActionButton>
      <ActionButton method="cancelRun" icon="slash" isDisabled={isBusy} onClick={() => setAsked("Cancel")}>
        Cancel…
      </ActionButton>
      <ActionButton method="pruneRuns" icon="cross" isDisabled={isBusy} onClick={() => setAsked("Delete")}>
        Delete…
      </ActionButton>
      <button type="button" className="plain" onClick={() => onSelect(new Map())}>
        Clear
      </button>
      {problem !== null && <Problem text={problem} />}
      {asked !== null && (
        <ConfirmDialog
          title={`${asked} ${counted(meant.length, asked)}?`}
          verb={`${asked} ${meant.length}`}
          isDangerous={asked === "Cancel" || asked === "Delete"}
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            const runIds = meant.map(({ runId }) => runId);
            if (asked === "Delete") onSelect(new Map());
            void workOnRuns(client, { verb: asked, acceptWorkflowChange }, runIds);
          }}
        >
          <p>
            They were chosen from the list “{list.name}”. Those that are not in a state for it are left as
            they are.
          </p>
          {asked === "Delete" && (
            <p>
              They go with their rows, events and frames, and with the child runs below them.{" "}
              <strong>It cannot be undone.</strong>
            </p>
          )}
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
  verb: BulkVerb;
  runs: readonly ListedRun[];
  acceptWorkflowChange: boolean;
}) {
  const ids = runs.map(({ runId }) => runId);
  const text = commandOf(verb, ids, acceptWorkflowChange);
  return (
    <p>
      <CopyButton text={text} what="the command for a terminal" label="Copy the command" />
    </p>
  );
}

function commandOf(verb: BulkVerb, ids: string[], acceptWorkflowChange: boolean): string {
  switch (verb) {
    case "Retry":
      return treadleCommand("retry", ids, { "accept-workflow-change": acceptWorkflowChange, yes: true });
    case "Delete":
      return treadleCommand("prune", ids, { yes: true });
    case "Cancel":
      return ids.map(cancelling).join("\n");
    case "Resume":
      return ids.map(resuming).join("\n");
    default:
      return verb satisfies never;
  }
}

const cancelling = (runId: string) => treadleCommand("cancel", [runId], { yes: true });
const resuming = (runId: string) => treadleCommand("up", [], { resume: runId });

function counted(count: number, verb: BulkVerb): string {
  const runs = verb === "Retry" ? "failed run" : "run";
  return `${count} ${runs}${count === 1 ? "" : "s"}`;
}
