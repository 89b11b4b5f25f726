import type { XmlElement, XmlNode } from "../model/xml.js";

/**
 * A frame's tree as a Mermaid flowchart. Tasks are boxes, approvals and human
 * tasks hexagons, timers and waits for events rounded, subflows framed; groups with a name of their own are subgraphs; a loop has an edge back.
 */
export function mermaid(xml: XmlNode | null): string {
  const chart = new Chart();
  if (xml?.kind === "element") {
    const start = chart.node("start", "((", "))");
    chart.connect(chart.element(xml, [{ from: start }]), chart.node("end", "((", "))"));
  }
  return chart.text();
}

/** An edge whose end is not known yet. */
interface Exit {
  from: string;
  label?: string;
  dashed?: boolean;
}

type Drawing = (chart: Chart, element: XmlElement, entries: Exit[]) => Exit[];

class Chart {
  readonly #nodes: string[] = [];
  // Behind all nodes: a subgraph takes in every node that is mentioned inside it.
  readonly #edges: string[] = [];
  #count = 0;
  #indent = "  ";

  /** Draws an element after `entries`; answers what comes out of it. */
  element(element: XmlElement, entries: Exit[]): Exit[] {
    const draw = Object.hasOwn(DRAWINGS, element.tag) ? DRAWINGS[element.tag] : undefined;
    return (draw ?? drawSequence)(this, element, entries);
  }

  node(label: string, open: string, close: string): string {
    const name = `n${this.#count++}`;
    this.#line(`${name}${open}"${escapeLabel(label)}"${close}`);
    return name;
  }

  connect(exits: readonly Exit[], to: string): void {
    for (const { from, label, dashed } of exits) {
      const arrow = dashed === true ? "-.->" : "-->";
      this.#edges.push(`  ${from} ${arrow}${label === undefined ? "" : `|"${escapeLabel(label)}"|`} ${to}`);
    }
  }

  subgraph<T>(title: string, draw: () => T): T {
    this.#line(`subgraph g${this.#count++}["${escapeLabel(title)}"]`);
    this.#indent += "  ";
    const result = draw();
    this.#indent = this.#indent.slice(2);
    this.#line("end");
    return result;
  }

  #line(text: string): void {
    this.#nodes.push(this.#indent + text);
  }

  text(): string {
    return ["flowchart TD", ...this.#nodes, ...this.#edges, ""].join("\n");
  }
}

const elementsOf = (element: XmlElement) =>
  element.children.filter((child): child is XmlElement => child.kind === "element");

const drawSequence: Drawing = (chart, element, entries) =>
  elementsOf(element).reduce((exits, child) => chart.element(child, exits), entries);

const drawParallel: Drawing = (chart, element, entries) => {
  const children = elementsOf(element);
  if (children.length === 0) return entries;
  const draw = () => children.flatMap((child) => chart.element(child, entries));
  const { id, maxConcurrency } = element.props;
  if (maxConcurrency === undefined && element.tag === "Parallel") return draw();
  return chart.subgraph(`${element.tag} ${givenId(id)} (at most ${maxConcurrency ?? 1})`, draw);
};

const drawBranch: Drawing = (chart, element, entries) => {
  const choice = chart.node("branch", "{", "}");
  chart.connect(entries, choice);
  const label = element.props["if"] === "true" ? "then" : "else";
  return drawSequence(chart, element, [{ from: choice, label }]);
};

const drawLoop: Drawing = (chart, element, entries) => {
  const { id, iteration, maxIterations = "5" } = element.props;
  return chart.subgraph(`Loop ${givenId(id)} (iteration ${iteration})`, () => {
    const head = chart.node("loop", "{{", "}}");
    chart.connect(entries, head);
    const exits = drawSequence(chart, element, [{ from: head }]);
    chart.connect(
      exits.map((exit) => ({ ...exit, label: `again, at most ${maxIterations}`, dashed: true })),
      head,
    );
    return exits;
  });
};

const drawGroup: Drawing = (chart, element, entries) => {
  const { id, path, label } = element.props;
  return chart.subgraph(`${element.tag} ${label ?? path ?? givenId(id)}`, () =>
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
  chart.subgraph(`Try ${givenId(element.props["id"])}`, () => {
    const part = (tag: string) => elementsOf(element).find((child) => child.tag === tag);
    const [body, recover, final] = [part("TryPart"), part("CatchPart"), part("FinallyPart")];
    let exits = body === undefined ? entries : drawSequence(chart, body, entries);
    if (recover !== undefined) {
      const failed = exits.map((exit) => ({ ...exit, label: "on error", dashed: true }));
      exits = [...exits, ...drawSequence(chart, recover, failed)];
    }
    return final === undefined ? exits : drawSequence(chart, final, exits);
  });

function drawTask(open: string, close: string): Drawing {
  return (chart, element, entries) => {
    const { id = "", label = id, skipIf } = element.props;
    const node = chart.node(label, open, close);
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
  Task: drawTask("[", "]"),
  SubflowResult: drawTask("[", "]"),
  Approval: drawTask("{{", "}}"),
  HumanTask: drawTask("{{", "}}"),
  Timer: drawTask("(", ")"),
  Signal: drawTask("([", "])"),
  WaitForEvent: drawTask("([", "])"),
  Subflow: drawTask("[[", "]]"),
  ContinueAsNew: (chart, _element, entries) => {
    chart.connect(entries, chart.node("continue as new run", ">", "]"));
    return [];
  },
};

/** Default ids, such as `loop:0.1`, say nothing that the picture does not show. */
function givenId(id = ""): string {
  return /^[a-z-]+:/.test(id) ? "" : id;
}

/** Mermaid reads quotes and angle brackets in labels, and `#` starts an entity. */
function escapeLabel(text: string): string {
  return text
    .replaceAll("#", "#35;")
    .replaceAll('"', "#quot;")
    .replaceAll("<", "#lt;")
    .replaceAll(">", "#gt;")
    .replace(/\s+/g, " ")
    .trim();
}
