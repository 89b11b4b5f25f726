/** @jsxImportSource react */
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { flowchart } from "../../graph/flowchart.js";
import { mermaid } from "../../graph/mermaid.js";
import type { NodeRow } from "../../model/node.js";
import type { Frame, FrameRead } from "../run/use-frame.js";
import { places } from "../frame/places.js";
import { useRouter } from "../frame/router.js";
import { Problem, Reading } from "../parts/Reading.js";
import { saveFile } from "../parts/save-file.js";
import { ArrowHead } from "./ArrowHead.js";
import { Drawing } from "./Drawing.js";
import { EdgeCard } from "./EdgeCard.js";
import { type Fold, foldFrame } from "./fold-tree.js";
import { Legend } from "./Legend.js";
import { GraphTools, type SavedFormat } from "./GraphTools.js";
import { layOut, neighbour, type PlacedChart } from "./lay-out.js";
import { MiniMap } from "./MiniMap.js";
import { newestRounds, standingOf, standingOfFold } from "./node-standing.js";
import { pngOf, svgText } from "./picture.js";
import { useViewport } from "./use-viewport.js";

interface GraphViewProps {
  runId: string;
  /** The newest frame. */
  read: FrameRead;
  nodes: readonly NodeRow[];
  selected: string | undefined;
}

const NOTHING: ReadonlySet<string> = new Set();
const DIRECTIONS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" } as const;

/** The rendered tree as a graph of what leads to what, laid out again only when the tree changes. */
export default function GraphView({ read: { frame, error }, ...rest }: GraphViewProps) {
  if (frame === undefined) {
    return (
      <section className="pane" aria-label="Graph">
        <Reading error={error} isLoading={error === undefined} isStale={false} />
      </section>
    );
  }
  return <Graph frame={frame} {...rest} />;
}

interface GraphProps extends Omit<GraphViewProps, "read"> {
  frame: Frame;
}

function Graph({ runId, frame, nodes, selected }: GraphProps) {
  const [wanted, setWanted] = useState(NOTHING);
  // A press is answered at once; the layout of a large group takes longer than a picture does.
  const [isChanging, setChanging] = useState(false);
  const change = (next: ReadonlySet<string>, opened?: Fold) => {
    setChanging(true);
    // A layout cannot be interrupted: it begins when the answer to the press has been drawn, which is so with the next picture.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        setChanging(false);
        const isTooMuch =
          opened !== undefined && !foldFrame(frame, next).opened.some(({ key }) => key === opened.key);
        setProblem(isTooMuch ? "There is no room for this group: fold another one first." : null);
        if (!isTooMuch) setWanted(next);
      }),
    );
  };
  const [active, setActive] = useState<string>();
  const [chosen, setChosen] = useState<{ chart: PlacedChart; index: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { go, hrefOf } = useRouter();
  const canvas = useRef<SVGSVGElement>(null);
  const drawing = useRef<SVGGElement>(null);
  // A frame that differs in nothing that is drawn keeps its layout.
  const shape = useMemo(
    () => JSON.stringify([frame.xml, frame.tasks.map(({ nodeId, dependsOn }) => [nodeId, dependsOn])]),
    [frame],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` is what counts of the frame.
  const folded = useMemo(() => foldFrame(frame, wanted), [shape, wanted]);
  const chart = useMemo(() => layOut(flowchart(folded.frame)), [folded]);
  // Of another layout it would be another edge.
  const chosenEdge = chosen?.chart === chart ? chosen.index : null;
  const viewport = useViewport(canvas, chart);
  const { view, size } = viewport;
  const standings = useMemo(() => {
    const newest = newestRounds(nodes);
    return new Map(
      chart.nodes.flatMap(({ name, nodeId }) => {
        if (nodeId === undefined) return [];
        const fold = folded.folds.get(nodeId);
        return [
          [name, fold === undefined ? standingOf(newest.get(nodeId)) : standingOfFold(fold, newest)] as const,
        ];
      }),
    );
  }, [chart, folded, nodes]);
  const hrefs = useMemo(
    () =>
      new Map(
        chart.nodes.flatMap(({ name, nodeId }) => {
          if (nodeId === undefined) return [];
          return [[name, folded.folds.has(nodeId) ? null : hrefOf(places.graph(runId, nodeId))] as const];
        }),
      ),
    [chart, folded, hrefOf, runId],
  );
  const isSized = size.width > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another selection, or the first layout, is what it follows.
  useEffect(() => {
    const box = chart.nodes.find(
      ({ nodeId = "" }) => nodeId === selected || folded.folds.get(nodeId)?.nodeIds.includes(selected ?? ""),
    );
    if (selected !== undefined && box !== undefined) viewport.reveal(box);
  }, [selected, isSized]);
  const reachable = useMemo(() => chart.nodes.filter(({ nodeId }) => nodeId !== undefined), [chart]);
  const current = reachable.find(({ name }) => name === active) ?? reachable[0];
  const focus = (node: (typeof reachable)[number] | undefined) => {
    if (node === undefined) return;
    canvas.current?.querySelector<SVGElement>(`[data-name="${node.name}"]`)?.focus({ preventScroll: true });
  };
  const open = (nodeId: string) => {
    const fold = folded.folds.get(nodeId);
    if (fold === undefined) {
      go(places.graph(runId, nodeId), { replaces: selected !== undefined });
      return;
    }
    change(new Set([...wanted, fold.key]), fold);
  };
  const onClick = (event: MouseEvent<SVGSVGElement>) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const edge = target.closest("[data-edge]")?.getAttribute("data-edge");
    if (edge != null) setChosen({ chart, index: Number(edge) });
    const name = target.closest("[data-name]")?.getAttribute("data-name");
    const node = reachable.find((each) => each.name === name);
    // Another tab is the browser's own way.
    if (node?.nodeId === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setActive(node.name);
    open(node.nodeId);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const { key } = event;
    const keys: Record<string, () => void> = {
      "+": () => viewport.zoom(1.25),
      "=": () => viewport.zoom(1.25),
      "-": () => viewport.zoom(0.8),
      "0": viewport.fit,
      Home: () => focus(reachable[0]),
      End: () => focus(reachable.at(-1)),
      Escape: () => setChosen(null),
      Enter: () => current?.nodeId !== undefined && open(current.nodeId),
    };
    const direction = Object.hasOwn(DIRECTIONS, key) ? DIRECTIONS[key as keyof typeof DIRECTIONS] : undefined;
    const act =
      direction === undefined ? keys[key] : () => focus(current && neighbour(reachable, current, direction));
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const save = async (format: SavedFormat) => {
    if (format === "mermaid") {
      saveFile(`${runId}.mmd`, mermaid(frame), "text/plain");
      return;
    }
    if (drawing.current === null) return;
    const svg = svgText(drawing.current, chart);
    if (format === "svg") {
      saveFile(`${runId}.svg`, svg, "image/svg+xml");
      return;
    }
    try {
      saveFile(`${runId}.png`, await pngOf(svg, chart), "image/png");
      setProblem(null);
    } catch {
      setProblem("The browser cannot draw a picture of this size: save it as SVG.");
    }
  };
  const edge = chosenEdge === null ? undefined : chart.edges[chosenEdge];
  const endOf = (name: string) => chart.nodes.find((node) => node.name === name);
  const passedFrom = (from: string, to: string) => {
    const [source, target] = [endOf(from)?.nodeId, endOf(to)?.nodeId];
    const task = folded.frame.tasks.find(({ nodeId }) => nodeId === target);
    const isPassed = source !== undefined && task?.dependsOn?.includes(source) === true;
    return isPassed && !folded.folds.has(source) ? source : null;
  };
  return (
    <section className="pane" aria-label="Graph">
      <GraphTools
        opened={folded.opened}
        hasFolds={folded.folds.size > 0}
        onFold={({ key }) => change(new Set([...wanted].filter((one) => one !== key)))}
        onZoom={viewport.zoom}
        onFit={viewport.fit}
        onSave={(format) => void save(format)}
      />
      {problem !== null && <Problem text={problem} />}
      <div className="graph-frame" aria-busy={isChanging}>
        {/* biome-ignore lint/a11y/useSemanticElements: a picture that is walked through is no fieldset. */}
        <svg
          ref={canvas}
          role="group"
          aria-label="What leads to what"
          className={`graph${viewport.isDragged ? " dragged" : ""}`}
          onClickCapture={(event) => {
            // The end of a drag is no click.
            if (!viewport.isDragged) return;
            event.preventDefault();
            event.stopPropagation();
          }}
          onClick={onClick}
          onFocus={({ target }) => {
            const node = reachable.find(({ name }) => name === target.getAttribute("data-name"));
            setActive(node?.name);
            if (node !== undefined && target.matches(":focus-visible")) viewport.reveal(node);
          }}
          onKeyDown={onKeyDown}
          {...viewport.pointer}
        >
          <ArrowHead />
          <g ref={drawing} transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
            {isSized && (
              <Drawing
                chart={chart}
                standings={standings}
                hrefs={hrefs}
                selected={selected}
                active={current?.name}
                chosenEdge={chosenEdge}
              />
            )}
          </g>
        </svg>
        <Legend />
        <MiniMap chart={chart} standings={standings} view={view} size={size} onMove={viewport.centre} />
      </div>
      {edge !== undefined && (
        <EdgeCard
          runId={runId}
          from={endOf(edge.from)?.label ?? ""}
          to={endOf(edge.to)?.label ?? ""}
          passedFrom={passedFrom(edge.from, edge.to)}
          onClose={() => setChosen(null)}
        />
      )}
    </section>
  );
}
