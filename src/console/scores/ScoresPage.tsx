/** @jsxImportSource react */
import { useMethod } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { useScope } from "../frame/scope.js";
import { Columns } from "../parts/Columns.js";
import { RangeHead } from "../parts/RangeHead.js";
import { Reading } from "../parts/Reading.js";
import { shown, shownShort } from "../parts/text.js";
import { rangeNamed, rangeOf } from "../runs/time-range.js";
import { CompareRuns } from "./CompareRuns.js";
import { NewestScores } from "./NewestScores.js";
import { Spark } from "./Spark.js";

/** How scorers judged the outputs of workflows over time, and two runs beside each other. */
export default function ScoresPage() {
  const { query } = useRouter();
  const { workflow = query.get("workflow") ?? undefined } = useScope();
  const since = rangeNamed(query.get("since")) ?? "30d";
  const { createdAfterMs: sinceMs = 0 } = rangeOf(new URLSearchParams({ since }), Date.now());
  const filter = { sinceMs, ...(workflow !== undefined && { workflow }) };
  const { data, ...reading } = useMethod("scoreTrends", filter);
  useRefusal(reading.error);
  const kept = { workflow, before: query.get("before") ?? undefined, after: query.get("after") ?? undefined };
  return (
    <>
      <RangeHead
        title="Scores"
        since={since}
        placeOf={(name) => places.scores({ ...kept, ...(name !== "30d" && { since: name }) })}
      >
        {workflow !== undefined && query.has("workflow") && (
          <Link className="chip" to={places.scores({ ...kept, workflow: undefined })}>
            {shownShort(workflow, 40)} <span className="unseen">only; show all</span> ×
          </Link>
        )}
      </RangeHead>
      <Reading {...reading} />
      {data?.trends.length === 0 && (
        <div className="empty">
          <p>No score in this time. A task that names scorers is scored when it has finished.</p>
        </div>
      )}
      {data !== undefined && data.trends.length > 0 && (
        <table className="table lines">
          <Columns names={["Workflow", "Scorer", ">Scores", ">Mean", ">Lowest", ">Highest", "Over time"]} />
          <tbody>
            {data.trends.map((trend) => (
              <tr key={`${trend.workflowName} ${trend.scorerId}`}>
                <td>{shown(trend.workflowName)}</td>
                <td>
                  {shownShort(trend.scorerName, 60)}
                  {trend.scorerId !== trend.scorerName && (
                    <span className="hint block">
                      <code>{shownShort(trend.scorerId, 60)}</code>
                    </span>
                  )}
                </td>
                <td className="end number" data-name="Scores">
                  {trend.count.toLocaleString()}
                </td>
                <td className="end number" data-name="Mean">
                  {trend.mean.toFixed(3)}
                </td>
                <td className="end number" data-name="Lowest">
                  {trend.min.toFixed(3)}
                </td>
                <td className="end number" data-name="Highest">
                  {trend.max.toFixed(3)}
                </td>
                <td>
                  <Spark spans={trend.spans} stepMs={data.stepMs} fromMs={sinceMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data !== undefined && data.newest.length > 0 && <NewestScores scores={data.newest} />}
      <CompareRuns />
    </>
  );
}
