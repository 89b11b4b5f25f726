import { type DrawnFrame, type FlowEdge, flowchart, type FlowItem, type FlowShape } from "./flowchart.js";

const SHAPES: Readonly<Record<FlowShape, string>> = {
  point: "circle",
  box: "box",
  decision: "diamond",
  question: "hexagon",
  timer: 'box, style="rounded"',
  event: "ellipse",
  subflow: "component",
  continuation: "cds",
};

/**
 * A frame as a Graphviz digraph, for `dot -Tsvg`. The picture is that of the Mermaid chart:
 * what has a name of its own there is a cluster here.
 */
export function dot(frame: DrawnFrame): string {
  const { items, edges } = flowchart(frame);
  const body = [...itemLines(items, "  "), ...edges.map(edgeLine)];
  return ["digraph workflow {", "  node [shape=box];", ...body, "}", ""].join("\n");
}

function itemLines(items: readonly FlowItem[], indent: string): string[] {
  return items.flatMap((item) => {
    if (item.kind === "group") {
      // Graphviz draws a frame around subgraphs whose name begins so, and no others.
      const head = `${indent}subgraph cluster_${item.name} {`;
      const title = `${indent}  label=${quoted(item.title)};`;
      return [head, title, ...itemLines(item.items, `${indent}  `), `${indent}}`];
    }
    return `${indent}${item.name} [label=${quoted(item.label)}, shape=${SHAPES[item.shape]}];`;
  });
}

function edgeLine({ from, to, label, dashed }: FlowEdge): string {
  const attributes = [label !== undefined && `label=${quoted(label)}`, dashed && 'style="dashed"'].filter(
    Boolean,
  );
  return `  ${from} -> ${to}${attributes.length === 0 ? "" : ` [${attributes.join(", ")}]`};`;
}

/**
 * A text as the DOT language quotes it. Labels know escapes such as `\N`, the name of the node, so a
 * backslash stands for itself only when it is doubled.
 */
function quoted(text: string): string {
  return `"${text.replace(/\s+/g, " ").trim().replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
