import { writtenId } from "../model/address.js";
import { type Dependent, dependencyIds } from "../model/dependencies.js";
import type { XmlElement, XmlNode } from "../model/xml.js";

export type FlowShape =
  | "point"
  | "box"
  | "decision"
  | "question"
  | "timer"
  | "event"
  | "subflow"
  | "continuation";

export interface FlowNode {
  kind: "node";
  name: string;
  label: string;
  shape: FlowShape;
  /** Of the task that it stands for; absent for what is no task. */
  nodeId?: string;
}

/** Nodes with a frame around them. */
export interface FlowGroup {
  kind: "group";
  name: string;
  title: string;
  items: FlowItem[];
}

export type FlowItem = FlowNode | FlowGroup;

export interface FlowEdge {
  from: string;
  to: string;
  label?: string | undefined;
  dashed: boolean;
}

export interface Flowchart {
  items: FlowItem[];
  edges: FlowEdge[];
}

/** The part of a frame that is drawn, rendered or stored. */
export interface DrawnFrame {
  xml: XmlNode | null;
  tasks: readonly (Dependent & { readonly nodeId: string })[];
}

/**
 * A frame as the chart of what leads to what: `start` and `end` are points, approvals and human tasks
 * questions, groups with a name of their own are framed, a loop has an edge back. Where a task waits for
 * one that does not lead to it in the tree, an edge of its own says so.
 */
export function flowchart({ xml, tasks }: DrawnFrame): Flowchart {
  const chart = new Chart();
  if (xml?.kind === "element") {
    const start = chart.node("start", "point");
    chart.connect(chart.element(xml, [{ from: start }]), chart.node("end", "point"));
  }
  for (const task of tasks) chart.connectNeeds(task);
  return chart;
}

/** An edge whose end is not known yet. */
interface Exit {
  from: string;
  label?: string;
  dashed?: boolean;
}

type Drawing = (chart: Chart, element: XmlElement, entries: Exit[]) => Exit[];

class Chart implements Flowchart {
  items: FlowItem[] = [];
  readonly edges: FlowEdge[] = [];
  /** Names by node id. */
  readonly #tasks = new Map<string, string>();
  #count = 0;

  /** Draws an element after `entries`; answers what comes out of it. */
  element(element: XmlElement, entries: Exit[]): Exit[] {
    const draw = Object.hasOwn(DRAWINGS, element.tag) ? DRAWINGS[element.tag] : undefined;
    return (draw ?? drawSequence)(this, element, entries);
  }

  node(label: string, shape: FlowShape): string {
    return this.#add({ label, shape });
  }

  task(nodeId: string, label: string, shape: FlowShape): string {
    const name = this.#add({ label, shape, nodeId });
    this.#tasks.set(nodeId, name);
    return name;
  }

  #add(node: Omit<FlowNode, "kind" | "name">): string {
    const name = `n${this.#count++}`;
    this.items.push({ kind: "node", name, ...node });
    return name;
  }

  /** Edges from `dependsOn`, `needs`, `deps` and `fork`, where the tree has drawn none. */
  connectNeeds(task: DrawnFrame["tasks"][number]): void {
    const to = this.#tasks.get(task.nodeId);
    if (to === undefined) return;
    for (const id of new Set(dependencyIds(task))) {
      const from = this.#tasks.get(id);
      const isDrawn = from === to || this.edges.some((edge) => edge.from === from && edge.to === to);
      if (from !== undefined && !isDrawn) this.edges.push({ from, to, label: "needs", dashed: true });
    }
  }

  connect(exits: readonly Exit[], to: string): void {
    for (const { from, label, dashed = false } of exits) this.edges.push({ from, to, label, dashed });
  }

  group<T>(title: string, draw: () => T): T {
    const group: FlowGroup = { kind: "group", name: `g${this.#count++}`, title, items: [] };
    const outer = this.items;
    outer.push(group);
    this.items = group.items;
    const result = draw();
    this.items = outer;
    return result;
  }
}

const elementsOf = (element: XmlElement) =>
  element.children.filter((child): child is XmlElement => child.kind === "element");

const drawSequence: Drawing = (chart, element, entries) =>
  elementsOf(element).reduce((exits, child) => chart.element(child, exits), entries);

const drawParallel: Drawing = (chart, element, entries) => {
  const children = elementsOf(element);
  if (children.length === 0) return entries;
  const starts = joined(chart, entries, children.length);
  const draw = () => children.flatMap((child) => chart.element(child, starts));
  const { id, maxConcurrency } = element.props;
  if (maxConcurrency === undefined && element.tag === "Parallel") return draw();
  return chart.group(`${element.tag} ${givenId(id)} (at most ${maxConcurrency ?? 1})`, draw);
};

/** From each of many to each of many would be more edges than a page can hold: they meet in a point. */
const MOST_CROSSING = 100;

function joined(chart: Chart, entries: Exit[], branches: number): Exit[] {
  if (entries.length < 2 || entries.length * branches <= MOST_CROSSING) return entries;
  const meeting = chart.node("all", "point");
  chart.connect(entries, meeting);
  return [{ from: meeting }];
}

/** Of the side that was not chosen a frame has nothing: dashed, it leads past. */
const drawBranch: Drawing = (chart, element, entries) => {
  const choice = chart.node("branch", "decision");
  chart.connect(entries, choice);
  const [label, other] = element.props["if"] === "true" ? ["then", "else"] : ["else", "then"];
  const exits = drawSequence(chart, element, [{ from: choice, label }]);
  return [...exits, { from: choice, label: other, dashed: true }];
};

const drawLoop: Drawing = (chart, element, entries) => {
  const { id, iteration, maxIterations = "5" } = element.props;
  const again = Number(iteration) > 0 ? `round ${Number(iteration) + 1} of` : "again, at most";
  return chart.group(`Loop ${givenId(id)} (round ${Number(iteration) + 1})`, () => {
    const head = chart.node("loop", "question");
    chart.connect(entries, head);
    const exits = drawSequence(chart, element, [{ from: head }]);
    chart.connect(
      exits.map((exit) => ({ ...exit, label: `${again} ${maxIterations}`, dashed: true })),
      head,
    );
    return exits;
  });
};

const drawGroup: Drawing = (chart, element, entries) => {
  const { id, path, label } = element.props;
  return chart.group(`${element.tag} ${label ?? path ?? givenId(id)}`, () =>
    drawSequence(chart, element, entries),
  );
};

/** Compensations hang off their action: they run only when a later step fails. */
const drawSagaStep: Drawing = (chart, element, entries) => {
  const part = (tag: string) => elementsOf(element).find((child) => child.tag === tag);
  const action = part("SagaAction");
  const compensation = part("SagaCompensation");
  const exits = action === undefined ? entries : drawSequence(chart, action, entries);
  if (compensation !== undefined) {
    drawSequence(
      chart,
      compensation,
      exits.map((exit) => ({ ...exit, label: "undo", dashed: true })),
    );
  }
  return exits;
};

const drawTry: Drawing = (chart, element, entries) =>
  chart.group(`Try ${givenId(element.props["id"])}`, () => {
    const part = (tag: string) => elementsOf(element).find((child) => child.tag === tag);
    const [body, recover, final] = [part("TryPart"), part("CatchPart"), part("FinallyPart")];
    let exits = body === undefined ? entries : drawSequence(chart, body, entries);
    if (recover !== undefined) {
      const failed = exits.map((exit) => ({ ...exit, label: "on error", dashed: true }));
      exits = [...exits, ...drawSequence(chart, recover, failed)];
    }
    return final === undefined ? exits : drawSequence(chart, final, exits);
  });

function drawTask(shape: FlowShape): Drawing {
  return (chart, element, entries) => {
    const { id = "", label = writtenId(id), skipIf } = element.props;
    const node = chart.task(id, label, shape);
    chart.connect(
      entries.map((entry) => (skipIf === "true" ? { ...entry, label: "skipped", dashed: true } : entry)),
      node,
    );
    return [{ from: node }];
  };
}

const DRAWINGS: Readonly<Record<string, Drawing>> = {
  Parallel: drawParallel,
  MergeQueue: drawParallel,
  Branch: drawBranch,
  Loop: drawLoop,
  Worktree: drawGroup,
  Aspects: drawGroup,
  InlineSubflow: drawGroup,
  Saga: drawGroup,
  SagaStep: drawSagaStep,
  TryCatchFinally: drawTry,
  Task: drawTask("box"),
  SubflowResult: drawTask("box"),
  Approval: drawTask("question"),
  HumanTask: drawTask("question"),
  Timer: drawTask("timer"),
  Signal: drawTask("event"),
  WaitForEvent: drawTask("event"),
  Subflow: drawTask("subflow"),
  SandboxRun: drawTask("subflow"),
  SandboxEnd: drawTask("box"),
  ContinueAsNew: (chart, _element, entries) => {
    chart.connect(entries, chart.node("continue as new run", "continuation"));
    return [];
  },
};

/** Default ids, such as `loop@0.1`, say nothing that the picture does not show. */
function givenId(id = ""): string {
  return /^[a-z-]+[:@]/.test(id) ? "" : id;
}
