/** @jsxImportSource react */
import type { GatewayMethods } from "../../client/index.js";
import { useMethod } from "../../react/index.js";
import { useAllowed } from "../access/allowed.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { useScope } from "../frame/scope.js";
import { Icon } from "../parts/Icon.js";
import { Reading } from "../parts/Reading.js";
import { shown, shownShort } from "../parts/text.js";
import { withoutFile } from "./SavedErrors.js";
import { Occasions, type KnownSchedules } from "./Occasions.js";
import { type Activity, activitySince, RecentRuns } from "./RecentRuns.js";

/** The workflows that this gateway starts. */
export default function CatalogPage() {
  const { data, ...reading } = useMethod("listWorkflows", {}, { pollMs: 60_000 });
  useRefusal(reading.error);
  const { workflow: only } = useScope();
  const mayRead = useAllowed().missing("cronList") === undefined;
  const schedules = useMethod("cronList", mayRead ? { history: 1 } : null).data?.schedules;
  const activities = useMethod("workflowActivity", { sinceMs: activitySince(Date.now()) }).data?.workflows;
  const without = data?.broken.filter(({ key }) => only === undefined || key === only);
  const broken = without?.filter(({ isModule }) => !isModule);
  const modules = without?.filter(({ isModule }) => isModule);
  const workflows = data?.workflows.filter(({ key }) => only === undefined || key === only);
  return (
    <>
      <div className="view-head">
        <h1>Workflows</h1>
      </div>
      <Reading {...reading} />
      {workflows?.length === 0 && broken?.length === 0 && (
        <div className="empty">
          <p>No workflow is registered. Put files into </p>
          <p>
            <code>.service/workflows</code>
          </p>
          <p>or register them: gateway.register(key, workflow).</p>
        </div>
      )}
      {broken !== undefined && broken.length > 0 && (
        <section aria-labelledby="broken" className="broken">
          <h2 id="broken">Files that give no workflow</h2>
          <ul className="cards">
            {broken.map(({ key, file, error, isWatched }) => (
              <li key={key} className="card">
                <h3>
                  <Icon name="warning" /> {shown(file)}
                </h3>
                <p>
                  <code>{shown(error.code)}</code> {shown(withoutFile(error.summary, file))}
                </p>
                {error.frame !== null && <pre>{shown(error.frame)}</pre>}
                <p className="hint">
                  {isWatched
                    ? "The save that makes it one is enough. The others are served."
                    : "Mend the file and start the gateway again. The others are served."}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ul className="cards">
        {workflows?.map((workflow) => (
          <WorkflowCard
            key={workflow.key}
            workflow={workflow}
            schedules={schedules}
            activity={activities?.find((each) => each.workflow === workflow.key)}
          />
        ))}
      </ul>
      {modules !== undefined && modules.length > 0 && (
        <p className="hint">
          No workflow in {modules.length === 1 ? "this file" : "these files"}, which others import:{" "}
          {modules.map(({ key, file }, index) => (
            <span key={key}>
              {index > 0 && ", "}
              <code>{shown(file)}</code>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

interface WorkflowCardProps {
  workflow: GatewayMethods["listWorkflows"]["result"]["workflows"][number];
  schedules: KnownSchedules | undefined;
  activity: Activity | undefined;
}

function WorkflowCard({ workflow, schedules, activity }: WorkflowCardProps) {
  const { key, workflowName, readableName, description } = workflow;
  return (
    <li className="card workflow-card">
      <h2>
        <Link to={places.workflow(key)}>{shownShort(readableName ?? workflowName ?? key, 80)}</Link>
      </h2>
      {key !== (readableName ?? workflowName) && (
        <p className="hint">
          <code className="breaks">{shown(key)}</code>
        </p>
      )}
      {description !== null && <p>{shownShort(description, 300)}</p>}
      <Occasions workflow={workflow} schedules={schedules} />
      {activity !== undefined && <RecentRuns activity={activity} />}
      <p className="buttons">
        <Link className="button main" to={places.workflow(key)}>
          <Icon name="play" /> Start…
        </Link>
        <Link className="button" to={places.runs({ workflow: key })}>
          Runs
        </Link>
      </p>
    </li>
  );
}
