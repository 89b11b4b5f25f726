import type { ReactNode } from "react";
import { createTreeRenderer } from "./render-tree.js";

/**
 * A prompt as Markdown: text and markup elements, and components made of them.
 *
 * @throws WORKFLOW_RENDER_FAILED when a component throws
 */
export function renderPrompt(prompt: ReactNode): string {
  if (typeof prompt === "string") return prompt;
  const tree = createTreeRenderer();
  try {
    tree.render(prompt);
    return tree.root.promptOf(tree.root.element);
  } finally {
    tree.dispose();
  }
}
