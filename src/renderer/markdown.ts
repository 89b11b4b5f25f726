import { contentKind } from "../model/content-kind.js";
import type { HostElement, HostNode } from "../model/host-node.js";

/** The content between an element's tags as Markdown. Elements that are not Markdown count as their content. */
export function markdownOf(element: HostElement): string {
  const { children } = element.props;
  if (contentKind(children) === "text") return textOf(children).trim();
  return new Writer().blocks(element);
}

function textOf(children: unknown): string {
  if (Array.isArray(children)) return children.map(textOf).join("");
  return typeof children === "string" || typeof children === "number" || typeof children === "bigint"
    ? String(children)
    : "";
}

/** Without empty lines at the top and white space at the end; what is in between may be code. */
function trimBlock(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
}

type ElementWriter = (writer: Writer, element: HostElement) => string;

function writers(byTag: Readonly<Record<string, ElementWriter>>): ReadonlyMap<string, ElementWriter> {
  return new Map(Object.entries(byTag));
}

/** Elements that form a block of their own, set off by empty lines. */
const BLOCKS = writers({
  p: (writer, element) => writer.inline(element),
  div: (writer, element) => writer.blocks(element),
  section: (writer, element) => writer.blocks(element),
  article: (writer, element) => writer.blocks(element),
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  ul: (writer, element) => writer.list(element, () => "- "),
  ol: (writer, element) => {
    const start = typeof element.props["start"] === "number" ? element.props["start"] : 1;
    return writer.list(element, (index) => `${start + index}. `);
  },
  li: (writer, element) => writer.blocks(element),
  blockquote: (writer, element) => prefixLines(writer.blocks(element), "> ", "> "),
  pre: (writer, element) => fence(writer, element),
  hr: () => "---",
  table: (writer, element) => writer.table(element),
});

const INLINE = writers({
  strong: around("**"),
  b: around("**"),
  em: around("_"),
  i: around("_"),
  del: around("~~"),
  code: around("`"),
  a: (writer, element) => {
    const text = writer.inline(element);
    const { href } = element.props;
    return typeof href === "string" ? `[${text}](${href})` : text;
  },
  img: (_writer, { props }) => `![${props["alt"] ?? ""}](${props["src"] ?? ""})`,
  br: () => "\n",
});

class Writer {
  /** Children as blocks: runs of text and inline elements become paragraphs. */
  blocks(element: HostElement): string {
    const blocks: string[] = [];
    let run = "";
    for (const child of childrenOf(element)) {
      const write = child.kind === "element" ? BLOCKS.get(child.tag) : undefined;
      if (write === undefined) {
        run += this.node(child);
        continue;
      }
      blocks.push(run, write(this, child as HostElement));
      run = "";
    }
    blocks.push(run);
    return blocks
      .map(trimBlock)
      .filter((block) => block.trim() !== "")
      .join("\n\n");
  }

  /** Children in one run of text. */
  inline(element: HostElement): string {
    return childrenOf(element)
      .map((child) => this.node(child))
      .join("");
  }

  node(node: HostNode): string {
    if (node.kind === "text") return node.text;
    const write = INLINE.get(node.tag) ?? BLOCKS.get(node.tag);
    return write === undefined ? this.inline(node) : write(this, node);
  }

  list(element: HostElement, marker: (index: number) => string): string {
    return childrenOf(element)
      .filter((child): child is HostElement => child.kind === "element")
      .map((item, index) => {
        const bullet = marker(index);
        // A nested list follows its item directly: an empty line would make the outer list a loose one.
        const text = this.blocks(item).replace(/\n\n(?=[^\S\n]*(?:[-*]|\d+\.) )/g, "\n");
        return prefixLines(text, bullet, " ".repeat(bullet.length));
      })
      .join("\n");
  }

  table(element: HostElement): string {
    const rows = rowsOf(element).map((row) =>
      childrenOf(row)
        .filter((cell): cell is HostElement => cell.kind === "element")
        .map((cell) =>
          this.inline(cell)
            .replace(/(?<!\s)\s*\n\s*/g, " ")
            .replaceAll("|", "\\|"),
        ),
    );
    const [head, ...body] = rows;
    if (head === undefined) return "";
    const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
    return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
  }
}

/** Child nodes; text that stands alone between the tags is a prop, not a node. */
function childrenOf(element: HostElement): readonly HostNode[] {
  if (element.children.length > 0) return element.children;
  const text = textOf(element.props["children"]);
  return text === "" ? [] : [{ kind: "text", text, parent: element }];
}

function rowsOf(element: HostElement): HostElement[] {
  return childrenOf(element).flatMap((child) =>
    child.kind === "text" ? [] : child.tag === "tr" ? [child] : rowsOf(child),
  );
}

function heading(level: number): ElementWriter {
  return (writer, element) => `${"#".repeat(level)} ${writer.inline(element)}`;
}

function around(mark: string): ElementWriter {
  return (writer, element) => `${mark}${writer.inline(element)}${mark}`;
}

function fence(writer: Writer, element: HostElement): string {
  const code = childrenOf(element).find((child): child is HostElement => child.kind === "element");
  const { className } = code?.props ?? {};
  const language = typeof className === "string" ? (/\blanguage-(\S+)/.exec(className)?.[1] ?? "") : "";
  const text = writer.inline(code?.tag === "code" ? code : element).replace(/\n$/, "");
  // The fence is longer than any run of backticks inside.
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}

function prefixLines(text: string, first: string, rest: string): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? first + line : line === "" ? rest.trimEnd() : rest + line))
    .join("\n");
}
