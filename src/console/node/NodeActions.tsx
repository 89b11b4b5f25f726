/** @jsxImportSource react */
import { useState } from "react";
import { type HandAction, whyNotByHand } from "../../model/by-hand.js";
import type { NodeRow } from "../../model/node.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { ActionButton } from "../parts/ActionButton.js";
import { CopyButton } from "../parts/CopyButton.js";
import { RemedyButton } from "../run/RemedyButton.js";
import { CompleteDialog } from "./CompleteDialog.js";
import { PromptDialog } from "./PromptDialog.js";
import { SkipDialog } from "./SkipDialog.js";

/** What a person can do for a task in the state that it is in. */
export function NodeActions({ runId, node }: { runId: string; node: NodeRow }) {
  const [asked, setAsked] = useState<"prompt" | HandAction | null>(null);
  const { nodeId, iteration, state, kind } = node;
  const task = { runId, nodeId, iteration };
  const mayRunAgain = state === "failed" || state === "finished";
  const dialog = { task, onClose: () => setAsked(null) };
  return (
    <div className="buttons">
      {mayRunAgain && <RemedyButton remedy={{ action: "retry-task", ...task }} />}
      {mayRunAgain && kind === "agent" && (
        <ActionButton method="retryTask" icon="retry" onClick={() => setAsked("prompt")}>
          Edit prompt and retry…
        </ActionButton>
      )}
      {isByHand(node, "complete") && (
        <ActionButton method="completeTask" icon="check" onClick={() => setAsked("complete")}>
          Complete by hand…
        </ActionButton>
      )}
      {isByHand(node, "skip") && (
        <ActionButton method="skipTask" icon="arrow" onClick={() => setAsked("skip")}>
          Skip…
        </ActionButton>
      )}
      <CopyButton
        text={treadleCommand("node", [runId, nodeId], { iteration })}
        what="the command line that shows this task"
        label="Copy command"
      />
      {asked === "prompt" && <PromptDialog {...dialog} />}
      {asked === "complete" && <CompleteDialog {...dialog} />}
      {asked === "skip" && <SkipDialog {...dialog} />}
    </div>
  );
}

/** As far as the task alone tells: the gateway knows its run as well, and decides. */
function isByHand(node: NodeRow, action: HandAction): boolean {
  const { kind, state } = node;
  const awaitsDecision = kind === "approval" || kind === "human" || state === "waiting-approval";
  const task = { ...node, state: state === "failed" ? ("pending" as const) : state };
  return whyNotByHand(action, { ...task, isAtWork: false, awaitsDecision }) === null;
}
