/** @jsxImportSource react */
import type { GatewayMethods } from "../../client/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { Columns } from "../parts/Columns.js";
import { Moment } from "../parts/Moment.js";
import { shownShort } from "../parts/text.js";

type NewestScore = GatewayMethods["scoreTrends"]["result"]["newest"][number];

/** The last judgements, each with the task and the run that it is of. */
export function NewestScores({ scores }: { scores: readonly NewestScore[] }) {
  return (
    <section className="section">
      <h2>Newest</h2>
      <table className="table lines">
        <Columns names={["Scorer", ">Score", "Task", "Run", "Workflow", "When"]} />
        <tbody>
          {scores.map(
            ({ runId, nodeId, iteration, scorerId, scorerName, score, workflowName, sampledAtMs }) => (
              <tr key={JSON.stringify([runId, nodeId, iteration, scorerId, sampledAtMs])}>
                <td>{shownShort(scorerName, 60)}</td>
                <td className="end number" data-name="Score">
                  {score.toFixed(3)}
                </td>
                <td>
                  <Link
                    to={places.node(runId, nodeId, {
                      tab: "scores",
                      round: iteration === 0 ? undefined : String(iteration + 1),
                    })}
                  >
                    {shownShort(nodeId, 60)}
                  </Link>
                </td>
                <td>
                  <Link to={places.run(runId)}>
                    <code>{shownShort(runId, 24)}</code>
                  </Link>
                </td>
                <td>{shownShort(workflowName, 60)}</td>
                <td data-name="When">
                  <Moment at={sampledAtMs} />
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}
