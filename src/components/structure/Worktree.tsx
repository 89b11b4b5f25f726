import type { ElementKey, WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";

/** Props of `Worktree`. */
export interface WorktreeProps {
  key?: ElementKey | undefined;
  /** Elements with one path share the worktree. @default made of `path` */
  id?: string;
  /** Folder of the worktree, relative to the run's root folder. */
  path: string;
  /** Branch to create or check out. @default none: a detached worktree */
  branch?: string;
  /** Where it starts: the local branch, else origin's. @default `main`, or what is checked out where there is none */
  baseBranch?: string;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The tasks that work in it. */
  children?: WorkflowNode;
}

/**
 * Tasks inside work in a checkout of their own.
 * @example
 * <Worktree path=".worktrees/fix" branch="fix">
 *   <Task id="fix" output={outputs.fix} agent={coder}>Fix the failing test.</Task>
 * </Worktree>
 * @see `docs/components/worktree.md`
 */
export const Worktree = hostComponent<(props: WorktreeProps) => WorkflowElement>("Worktree");
