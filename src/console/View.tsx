/** @jsxImportSource react */
import { lazy, Suspense } from "react";
import { useRouter } from "./frame/router.js";
import { InboxPage } from "./inbox/InboxPage.js";
import { RunPage } from "./run/RunPage.js";
import { RunsPage } from "./runs/RunsPage.js";

const CatalogPage = lazy(() => import("./catalog/CatalogPage.js"));
const WorkflowPage = lazy(() => import("./catalog/WorkflowPage.js"));
const SchedulesPage = lazy(() => import("./schedules/SchedulesPage.js"));
const AgentsPage = lazy(() => import("./agents/AgentsPage.js"));
const ScoresPage = lazy(() => import("./scores/ScoresPage.js"));
const MemoryPage = lazy(() => import("./memory/MemoryPage.js"));
const WebhooksPage = lazy(() => import("./webhooks/WebhooksPage.js"));
const StatusPage = lazy(() => import("./status/StatusPage.js"));

/** The view that the address names. */
export function View() {
  return (
    <Suspense fallback={<p className="hint pad">Loading…</p>}>
      <Chosen />
    </Suspense>
  );
}

function Chosen() {
  const { parts } = useRouter();
  const [section = "runs", id, tab, item] = parts;
  switch (section) {
    case "runs":
      if (id === undefined) return <RunsPage />;
      return <RunPage key={id} runId={id} tab={tab ?? "nodes"} nodeId={item} />;
    case "inbox":
      return <InboxPage />;
    case "catalog":
      return id === undefined ? <CatalogPage /> : <WorkflowPage key={id} workflowKey={id} />;
    case "schedules":
      return <SchedulesPage />;
    case "webhooks":
      return <WebhooksPage />;
    case "agents":
      return <AgentsPage />;
    case "scores":
      return <ScoresPage />;
    case "memory":
      return <MemoryPage />;
    case "status":
      return <StatusPage />;
    default:
      return <p className="hint pad">There is no such view.</p>;
  }
}
