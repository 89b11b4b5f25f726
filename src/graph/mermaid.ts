import { type DrawnFrame, type FlowEdge, flowchart, type FlowItem, type FlowShape } from "./flowchart.js";

const BRACKETS: Readonly<Record<FlowShape, readonly [open: string, close: string]>> = {
  point: ["((", "))"],
  box: ["[", "]"],
  decision: ["{", "}"],
  question: ["{{", "}}"],
  timer: ["(", ")"],
  event: ["([", "])"],
  subflow: ["[[", "]]"],
  continuation: [">", "]"],
};

/**
 * A frame as a Mermaid flowchart. Tasks are boxes, approvals and human
 * tasks hexagons, timers and waits for events rounded, subflows framed; groups with a name of their own are subgraphs; a loop has an edge back.
 * A dashed edge `needs` leads to a task from another one whose row it waits for.
 */
export function mermaid(frame: DrawnFrame): string {
  const { items, edges } = flowchart(frame);
  // Edges behind all nodes: a subgraph takes in every node that is mentioned inside it.
  return ["flowchart TD", ...itemLines(items, "  "), ...edges.map(edgeLine), ""].join("\n");
}

function itemLines(items: readonly FlowItem[], indent: string): string[] {
  return items.flatMap((item) => {
    if (item.kind === "group") {
      const head = `${indent}subgraph ${item.name}["${escapeLabel(item.title)}"]`;
      return [head, ...itemLines(item.items, `${indent}  `), `${indent}end`];
    }
    const [open, close] = BRACKETS[item.shape];
    return `${indent}${item.name}${open}"${escapeLabel(item.label)}"${close}`;
  });
}

function edgeLine({ from, to, label, dashed }: FlowEdge): string {
  const text = label === undefined ? "" : `|"${escapeLabel(label)}"|`;
  return `  ${from} ${dashed ? "-.->" : "-->"}${text} ${to}`;
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
