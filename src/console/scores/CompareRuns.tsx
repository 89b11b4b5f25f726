/** @jsxImportSource react */
import { type FormEvent, useState } from "react";
import { compareScores } from "../../scorers/compare-scores.js";
import { useClient, useMethod } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Problem, Reading } from "../parts/Reading.js";
import { shown, shownShort } from "../parts/text.js";

/** Two runs beside each other, by the means of their scorers; their ids stand in the address. */
export function CompareRuns() {
  const { query, go } = useRouter();
  const client = useClient();
  const [before, after] = [query.get("before"), query.get("after")];
  const [problem, setProblem] = useState<string | null>(null);
  const compare = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const runs = [String(given.get("before")).trim(), String(given.get("after")).trim()];
    try {
      const found = await Promise.all(runs.map((run) => client.findRun({ run })));
      const ids = found.map(({ runId }) => runId);
      setProblem(null);
      const kept = Object.fromEntries(
        ["since", "workflow"].map((name) => [name, query.get(name) ?? undefined]),
      );
      go(places.scores({ ...kept, before: ids[0], after: ids[1] }));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <section className="section">
      <h2>Compare two runs</h2>
      <form className="compare" onSubmit={compare} key={`${before} ${after}`}>
        <label>
          First run
          <input name="before" required defaultValue={before ?? ""} placeholder="id, or its beginning" />
        </label>
        <label>
          Second run
          <input name="after" required defaultValue={after ?? ""} placeholder="id, or latest" />
        </label>
        <button type="submit" className="button">
          Compare
        </button>
      </form>
      {problem !== null && <Problem text={problem} />}
      {before !== null && after !== null && <Compared before={before} after={after} />}
    </section>
  );
}

function Compared({ before, after }: { before: string; after: string }) {
  const first = useMethod("listScores", { runId: before, limit: 1 });
  const second = useMethod("listScores", { runId: after, limit: 1 });
  const [one, other] = [first.data, second.data];
  if (one === undefined || other === undefined) {
    return (
      <>
        <Reading {...first} />
        {first.error === undefined && <Reading {...second} />}
      </>
    );
  }
  const scorers = compareScores(one.summary, other.summary);
  const command = `treadle scores compare ${before} ${after}`;
  return (
    <>
      {scorers.length === 0 ? (
        <p className="hint">Neither of the two runs has a score.</p>
      ) : (
        <table className="table lines">
          <thead>
            <tr>
              <th>Scorer</th>
              <th className="end">
                <Link to={places.run(before)}>{shownShort(before, 24)}</Link>
              </th>
              <th className="end">
                <Link to={places.run(after)}>{shownShort(after, 24)}</Link>
              </th>
              <th className="end">Change</th>
            </tr>
          </thead>
          <tbody>
            {scorers.map((each) => (
              <tr key={each.scorerId}>
                <td>{shown(each.scorerName)}</td>
                <td className="end number" data-name="First">
                  {mean(each.before)}
                </td>
                <td className="end number" data-name="Second">
                  {mean(each.after)}
                </td>
                <td className="end number" data-name="Change">
                  <Change delta={each.delta} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="hint">
        <code className="breaks">{shown(command)}</code> <CopyButton text={command} what="the command" />
      </p>
    </>
  );
}

function mean(score: { mean: number; count: number } | null): string {
  return score === null ? "none" : `${score.mean.toFixed(3)} (${score.count})`;
}

/** By sign and word, too. */
function Change({ delta }: { delta: number | null }) {
  if (delta === null) return <span className="hint">–</span>;
  if (Math.abs(delta) < 0.0005) return <span className="idle">same</span>;
  return (
    <span className={delta > 0 ? "good" : "bad"}>
      {delta > 0 ? "▲ better by " : "▼ worse by "}
      {Math.abs(delta).toFixed(3)}
    </span>
  );
}
