import type { MemoryMessage } from "../model/memory.js";

/** The text of a message: of one that has parts, their texts. */
export function messageText({ contentJson }: Pick<MemoryMessage, "contentJson">): string {
  const content = JSON.parse(contentJson) as unknown;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return contentJson;
  return content
    .map((part: unknown) => {
      const { text } = (part ?? {}) as { text?: unknown };
      return typeof text === "string" ? text : JSON.stringify(part);
    })
    .join("\n");
}
