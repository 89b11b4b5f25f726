/** @jsxImportSource react */
import { lazy, Suspense } from "react";
import { useMethod } from "../../react/index.js";
import { useAllowed } from "../access/allowed.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { Fold } from "../parts/Fold.js";
import { Json } from "../parts/Json.js";
import { Reading } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import { LaunchForm } from "./LaunchForm.js";
import { Occasions } from "./Occasions.js";
import { activitySince, RecentRuns } from "./RecentRuns.js";

const GraphPreview = lazy(() => import("./GraphPreview.js"));

/** Looked at rarely: code changes seldom. */
const LOOK_MS = 60_000;

/** One workflow: what it takes, and a form that starts a run of it. */
export default function WorkflowPage({ workflowKey }: { workflowKey: string }) {
  const { data, ...reading } = useMethod("inspectWorkflow", { workflow: workflowKey }, { pollMs: LOOK_MS });
  useRefusal(reading.error);
  const from = useRouter().query.get("from");
  const before = useMethod("inspectRun", from === null ? null : { runId: from }, { pollMs: LOOK_MS });
  const described = useMethod("listWorkflows", {}).data?.workflows.find(({ key }) => key === workflowKey);
  const mayRead = useAllowed().missing("cronList") === undefined;
  const schedules = useMethod("cronList", mayRead ? { history: 1 } : null).data?.schedules;
  const activities = useMethod("workflowActivity", {
    workflow: workflowKey,
    sinceMs: activitySince(Date.now()),
  });
  const [activity] = activities.data?.workflows ?? [];
  // The form begins with the earlier input: it is drawn once that is known.
  const isReady = data !== undefined && !before.isLoading;
  return (
    <>
      <p className="crumbs">
        <Link to={places.catalog()}>Workflows</Link> / <code>{shown(workflowKey)}</code>
      </p>
      <div className="view-head">
        <h1>{shown(data?.readableName ?? data?.workflowName ?? workflowKey)}</h1>
        <Link className="button" to={places.runs({ workflow: workflowKey })}>
          Runs
        </Link>
      </div>
      <Reading {...reading} />
      {data?.description != null && <p>{shown(data.description)}</p>}
      {described !== undefined && <Occasions workflow={described} schedules={schedules} />}
      {activity !== undefined && <RecentRuns activity={activity} />}
      <div className="workflow-parts">
        {isReady && (
          <LaunchForm
            workflowKey={workflowKey}
            schema={data.input}
            initial={before.data?.input ?? null}
            {...(from !== null && { from })}
          />
        )}
        <div>
          {data !== undefined && (
            <Fold title="Graph" isOpenAtFirst>
              {data.frame === null ? (
                <p className="hint">What a run begins with depends on its input.</p>
              ) : (
                <Suspense fallback={<p className="hint">Loading…</p>}>
                  <GraphPreview frame={data.frame} />
                </Suspense>
              )}
            </Fold>
          )}
          {data?.input != null && (
            <Fold title="Schema of the input">
              <Json value={data.input} name="the schema" />
            </Fold>
          )}
        </div>
      </div>
    </>
  );
}
