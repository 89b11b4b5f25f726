import { applyDelta } from "../../../src/graph/frame-delta.js";
import type { FrameSnapshot } from "../../../src/graph/frame-snapshot.js";
import { mermaid } from "../../../src/graph/mermaid.js";
import type { TaskDescriptor } from "../../../src/model/task.js";
import type { Store } from "../../../src/store/contract.js";

const MARKS = /<!-- tree -->\n(?:[\s\S]*?\n)?<!-- \/tree -->/;

export const hasTree = (text: string): boolean => MARKS.test(text);

/** The page with this tree between its marks. */
export function withTree(text: string, tree: string): string {
  return text.replace(MARKS, () => `<!-- tree -->\n\`\`\`mermaid\n${tree}\`\`\`\n<!-- /tree -->`);
}

/** Runs of one program, in the test kit's databases. */
export async function fullestTree(stores: Iterable<Store>): Promise<string> {
  let fullest: FrameSnapshot = { xml: null, tasks: [] };
  for (const store of stores) {
    for (const { runId } of (await store.listRuns({ limit: 100 })).reverse()) {
      const frames = await store.listFrames(runId, { limit: 10_000 });
      for (const { frameNo } of frames.toReversed()) {
        const chain = await store.snapshotChain(runId, frameNo);
        if (chain === undefined) continue;
        const frame = applyDelta(chain);
        if (frame.tasks.length > fullest.tasks.length) fullest = frame;
      }
    }
  }
  // What a flowchart reads of a task is stored under the same names.
  return mermaid({ xml: fullest.xml, tasks: fullest.tasks as unknown as TaskDescriptor[] });
}
