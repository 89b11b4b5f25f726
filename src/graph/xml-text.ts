import type { XmlElement, XmlNode } from "../model/xml.js";

/** The tree as XML text, two spaces per level, one element per line. Empty for null. */
export function xmlText(node: XmlNode | null): string {
  if (node === null) return "";
  const lines: string[] = [];
  write(node, "", lines);
  return lines.join("\n");
}

function write(node: XmlNode, indent: string, lines: string[]): void {
  if (node.kind === "text") {
    lines.push(indent + escapeText(node.text));
    return;
  }
  const open = `${indent}<${node.tag}${attributes(node)}`;
  if (node.children.length === 0) {
    lines.push(`${open} />`);
    return;
  }
  lines.push(`${open}>`);
  for (const child of node.children) write(child, `${indent}  `, lines);
  lines.push(`${indent}</${node.tag}>`);
}

function attributes({ props }: XmlElement): string {
  return Object.entries(props)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join("");
}

function escapeText(text: string): string {
  return withoutControls(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Line breaks and tabs would be read back as spaces, so they are written as references. */
function escapeAttribute(text: string): string {
  return escapeText(text)
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\r", "&#13;")
    .replaceAll("\t", "&#9;");
}

/** XML 1.0 has no way to write these characters. */
function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
}
