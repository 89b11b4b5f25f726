/** @jsxImportSource react */
import type { GatewayMethods } from "../../client/index.js";

type Trend = GatewayMethods["scoreTrends"]["result"]["trends"][number];

const WIDTH = 160;
const HEIGHT = 32;
const EDGE = 3;

interface SparkProps {
  spans: Trend["spans"];
  stepMs: number;
  fromMs: number;
}

/** The means of spans of time as points of a line, from 0 to 1; the numbers as text for who does not see it. */
export function Spark({ spans, stepMs, fromMs }: SparkProps) {
  const [first, last] = [spans[0], spans.at(-1)];
  if (first === undefined || last === undefined) return null;
  const untilMs = Math.max(Date.now(), last.startMs + stepMs);
  const x = (at: number) =>
    EDGE + ((at + stepMs / 2 - fromMs) / Math.max(1, untilMs - fromMs)) * (WIDTH - 2 * EDGE);
  const y = (mean: number) => HEIGHT - EDGE - mean * (HEIGHT - 2 * EDGE);
  const points = spans.map(({ startMs, mean }) => `${x(startMs).toFixed(1)},${y(mean).toFixed(1)}`);
  const text = `${spans.length} spans, from ${first.mean.toFixed(3)} to ${last.mean.toFixed(3)}`;
  return (
    <svg className="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
      <title>{text}</title>
      <path className="spark-frame" d={`M0 ${EDGE}H${WIDTH}M0 ${HEIGHT - EDGE}H${WIDTH}`} />
      <polyline points={points.join(" ")} />
      {spans.map(({ startMs, mean }) => (
        <circle key={startMs} cx={x(startMs)} cy={y(mean)} r="1.8" />
      ))}
    </svg>
  );
}
