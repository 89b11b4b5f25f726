/** @jsxImportSource react */
import type { GatewayMethods } from "../../../client/index.js";
import { useMethod } from "../../../react/index.js";
import { Reading } from "../../parts/Reading.js";
import { shownShort } from "../../parts/text.js";
import { useKept } from "./use-kept.js";

type Diff = GatewayMethods["diffFrames"]["result"];
type Task = Diff["added"][number];

/** Tasks that are named at once. */
const MOST = 30;

/** The difference between the frame and the one before it. */
export function FrameChanges({ runId, frameNo }: { runId: string; frameNo: number }) {
  const reading = useMethod("diffFrames", {
    runId,
    fromFrameNo: frameNo - 1,
    toFrameNo: frameNo,
  });
  const diff = useKept(reading);
  if (diff === undefined) return <Reading {...reading} />;
  const { added, removed, changed } = diff;
  const isSame = added.length + removed.length + changed.length === 0;
  return (
    <section className="frame-changes" aria-label="Changes since the frame before">
      <Tasks sign="+" text="came" tone="good" tasks={added} />
      <Tasks sign="−" text="went" tone="bad" tasks={removed} />
      <Tasks sign="±" text="changed" tone="wait" tasks={changed.map(({ after }) => after)} />
      {isSame && (
        <p className="hint">
          {diff.isTreeChanged
            ? `The same tasks as in frame ${diff.fromFrameNo}; elements around them differ.`
            : `The same tree as in frame ${diff.fromFrameNo}.`}
        </p>
      )}
    </section>
  );
}

interface TasksProps {
  sign: string;
  text: string;
  tone: string;
  tasks: readonly Task[];
}

function Tasks({ sign, text, tone, tasks }: TasksProps) {
  if (tasks.length === 0) return null;
  return (
    <p>
      <span className={`badge ${tone}`}>
        {sign} {tasks.length} {text}
      </span>{" "}
      {tasks.slice(0, MOST).map(({ nodeId, iteration }) => (
        <code key={`${nodeId} ${iteration}`}>
          {shownShort(nodeId, 80)}
          {iteration > 0 && ` (round ${iteration + 1})`}{" "}
        </code>
      ))}
      {tasks.length > MOST && <span className="hint">and more</span>}
    </p>
  );
}
