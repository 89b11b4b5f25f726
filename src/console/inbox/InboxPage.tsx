/** @jsxImportSource react */
import { useScope } from "../frame/scope.js";
import { Approvals } from "./Approvals.js";

/** What waits for a person, in all runs, longest waiting first. */
export function InboxPage() {
  return (
    <>
      <div className="view-head">
        <h1>Inbox</h1>
      </div>
      <Approvals filter={useScope()} heading="Waits for a decision" />
    </>
  );
}
