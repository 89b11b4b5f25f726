import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";

export interface WorktreeProps {
  key?: ElementKey;
  /** @default made of `path`, so that two elements with one path share the worktree */
  id?: string;
  /** Folder of the worktree, relative to the run's root folder. */
  path: string;
  /** Branch to create or check out. @default none: a detached worktree */
  branch?: string;
  /** Where it starts: the local branch, else origin's. @default "main", or what is checked out where there is none */
  baseBranch?: string;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  children?: WorkflowNode;
}

/** Tasks inside work in a checkout of their own. */
export const Worktree = hostComponent<(props: WorktreeProps) => WorkflowElement>("Worktree");
