/** @jsxImportSource react */
import { useMethod } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { useScope } from "../frame/scope.js";
import { Icon } from "../parts/Icon.js";
import { Reading } from "../parts/Reading.js";
import { shown } from "../parts/text.js";

/** The workflows that this gateway starts. */
export default function CatalogPage() {
  const { data, ...reading } = useMethod("listWorkflows", {}, { pollMs: 60_000 });
  useRefusal(reading.error);
  const { workflow: only } = useScope();
  const broken = data?.broken.filter(({ key }) => only === undefined || key === only);
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
        <section aria-labelledby="broken">
          <h2 id="broken">Files that give no workflow</h2>
          <ul className="cards">
            {broken.map(({ key, file, error, isWatched }) => (
              <li key={key} className="card">
                <h3>
                  <Icon name="warning" /> {shown(file)}
                </h3>
                <p>
                  <code>{shown(error.code)}</code> {shown(error.summary)}
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
        {workflows?.map(({ key, workflowName, readableName, description, schedule, hasWebhook }) => (
          <li key={key} className="card">
            <h2>
              <Link to={places.workflow(key)}>{shown(readableName ?? workflowName ?? key)}</Link>
            </h2>
            <p className="hint">
              <code>{shown(key)}</code>
            </p>
            {description !== null && <p>{shown(description)}</p>}
            <p className="hint">
              {schedule !== null && (
                <>
                  <Icon name="calendar" /> <code>{shown(schedule)}</code>{" "}
                </>
              )}
              {hasWebhook && (
                <>
                  <Icon name="signal" /> POST /webhooks/{shown(key)}
                </>
              )}
            </p>
            <p className="buttons">
              <Link className="button main" to={places.workflow(key)}>
                <Icon name="play" /> Start…
              </Link>
              <Link className="button" to={places.runs({ workflow: key })}>
                Runs
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
