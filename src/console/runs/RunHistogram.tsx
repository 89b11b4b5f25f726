/** @jsxImportSource react */
import { type KeyboardEvent, useRef, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useMethod } from "../../react/index.js";
import type { RunStatus } from "../../model/run.js";
import { Link, type ViewAddress } from "../frame/router.js";
import { Moment } from "../parts/Moment.js";
import { lookOf, State, type Tone } from "../parts/State.js";
import { shown } from "../parts/text.js";

type Histogram = GatewayMethods["runHistogram"];
type Bar = Histogram["result"]["bars"][number];
type Counts = Bar["counts"];

/** From below: what failed is read against the line. */
const ORDER: readonly Tone[] = ["bad", "wait", "busy", "idle", "good"];

interface RunHistogramProps {
  filter: Histogram["params"];
  /** Where the runs of one bar alone are listed. */
  placeOf(bar: Bar): ViewAddress;
}

/** All runs of the list by the time at which they were made, as the gateway counts them. */
export function RunHistogram({ filter, placeOf }: RunHistogramProps) {
  const { data, error } = useMethod("runHistogram", filter);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  if (data === undefined) {
    const isTold = error !== undefined && "code" in error && error.code === "INVALID_INPUT";
    return isTold ? <p className="hint">{shown(error.message)}</p> : <div className="histogram" />;
  }
  const { bars, counts } = data;
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return null;
  const most = Math.max(...bars.map((bar) => sumOf(bar.counts)));
  const filled = bars.filter((bar) => sumOf(bar.counts) > 0);
  const current = Math.min(active, filled.length - 1);
  const step = (event: KeyboardEvent) => {
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: filled.length - 1 }[
      event.key
    ];
    if (next === undefined || filled[next] === undefined) return;
    event.preventDefault();
    setActive(next);
    list.current?.querySelectorAll("a")[next]?.focus();
  };
  return (
    <section className="histogram" aria-label="Runs over time">
      <ul className="histogram-bars" ref={list} onKeyDown={step}>
        {bars.map((bar) => (
          <li key={bar.startMs}>
            {sumOf(bar.counts) > 0 && (
              <Link
                to={placeOf(bar)}
                tabIndex={bar === filled[current] ? 0 : -1}
                title={textOf(bar)}
                aria-label={textOf(bar)}
                onFocus={() => setActive(filled.indexOf(bar))}
              >
                <Stack counts={bar.counts} most={most} />
              </Link>
            )}
          </li>
        ))}
      </ul>
      <div className="histogram-foot">
        <Moment at={first.startMs} />
        <ul className="histogram-sums">
          {Object.entries(counts).map(([status, count]) => (
            <li key={status}>
              <State state={status} /> <span className="number">{count.toLocaleString()}</span>
            </li>
          ))}
        </ul>
        <Moment at={last.endMs} />
      </div>
    </section>
  );
}

function Stack({ counts, most }: { counts: Counts; most: number }) {
  const sums = new Map<Tone, number>();
  for (const [status, count] of Object.entries(counts)) {
    const { tone } = lookOf(status);
    sums.set(tone, (sums.get(tone) ?? 0) + count);
  }
  return ORDER.map((tone) => {
    const sum = sums.get(tone);
    if (sum === undefined) return null;
    return <span key={tone} className={`stack ${tone}`} style={{ height: `${(100 * sum) / most}%` }} />;
  });
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** `24 Nov, 12:00 – 24 Nov, 12:30: 3 finished, 1 failed` */
function textOf({ startMs, endMs, counts }: Bar): string {
  const time = (at: number) =>
    new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  const parts = (Object.entries(counts) as [RunStatus, number][]).map(
    ([status, count]) => `${count} ${lookOf(status).text}`,
  );
  return `${time(startMs)} – ${time(endMs)}: ${parts.join(", ")}`;
}
