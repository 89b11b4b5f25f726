import type { TaskKey } from "../../model/address.js";
import type { EditedPrompt, StoredControl } from "../../model/plan.js";

/** The tasks of a run that have another prompt than the tree's. */
export function editedPrompts(controls: readonly StoredControl[]): Map<TaskKey, EditedPrompt> {
  return new Map(
    controls.flatMap((control) =>
      control.kind === "prompt" && control.prompt !== null ? [[control.id, control] as const] : [],
    ),
  );
}

/**
 * What a reset changes of them: the asked-for node, the first of the keys, gets the prompt that came along; without one
 * it has its own again, as have all others that run again.
 */
export function promptsAfter(
  controls: readonly StoredControl[],
  [asked, ...others]: readonly TaskKey[],
  { prompt, editedBy }: { prompt: string | undefined; editedBy: string | null },
): EditedPrompt[] {
  const before = editedPrompts(controls);
  const own = (id: TaskKey): EditedPrompt => ({ kind: "prompt", id, prompt: null, editedBy: null });
  const changed = others.filter((key) => before.has(key)).map(own);
  if (asked === undefined) return changed;
  if (prompt !== undefined) return [{ kind: "prompt", id: asked, prompt, editedBy }, ...changed];
  return before.has(asked) ? [own(asked), ...changed] : changed;
}
