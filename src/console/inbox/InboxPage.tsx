/** @jsxImportSource react */
import { useScope } from "../frame/scope.js";
import { Approvals } from "./Approvals.js";
import { Decisions } from "./Decisions.js";

/** What waits for a person, in all runs, longest waiting first, and what was decided. */
export function InboxPage() {
  const scope = useScope();
  return (
    <>
      <div className="view-head">
        <h1>Inbox</h1>
      </div>
      <Approvals filter={scope} heading="Waits for a decision" />
      <Decisions filter={scope} />
    </>
  );
}
