import type { TaskDescriptor, TaskKind } from "../../model/task.js";
import { taskAddress } from "../ancestor-context.js";
import type { Site } from "../element-rule.js";
import {
  invalid,
  readFlag,
  readObjectProp,
  readObject,
  readText,
  readTextMap,
  readTexts,
  readTimeout,
} from "../props.js";
import { type DraftReferences, resolveReferences } from "./references.js";

/** What the XML shows of every task that has limits of its own: its order, its limits, its names. */
export const LIMITED_ATTRIBUTES = [
  "dependsOn",
  "needs",
  "skipIf",
  "timeoutMs",
  "heartbeatTimeoutMs",
  "heartbeatTimeout",
  "retries",
  "retryPolicy",
  "continueOnFail",
  "label",
  "meta",
] as const;

/** The fields that every kind of task has: address, order, place. */
export function baseDescriptor(site: Site, kind: TaskKind): TaskDescriptor {
  const { element, around, facts } = site;
  const loop = around.loops.at(-1);
  const label = readText(element, "label");
  const meta = readObjectProp(element, "meta");
  const task: TaskDescriptor = {
    nodeId: facts.address,
    ordinal: 0,
    iteration: loop?.iteration ?? 0,
    kind,
    outputTable: null,
    outputTableName: "",
    outputKey: "",
    needsApproval: false,
    skipIf: around.skip || readFlag(element, "skipIf") === true,
    retries: 0,
    timeoutMs: readTimeout(element, "timeoutMs") ?? null,
    heartbeatTimeoutMs: heartbeatTimeout(site),
    continueOnFail: readFlag(element, "continueOnFail") ?? false,
    fingerprint: "",
  };
  if (loop !== undefined) task.ralphId = loop.controlId;
  if (label !== undefined) task.label = label;
  if (meta !== undefined) task.meta = meta;
  if (around.group !== null) {
    task.parallelGroupId = around.group.id;
    if (around.group.cap !== undefined) task.parallelMaxConcurrency = around.group.cap;
  }
  if (around.worktree !== null) {
    task.worktreeId = around.worktree.id;
    task.worktreePath = around.worktree.path;
    if (around.worktree.baseBranch !== undefined) task.worktreeBaseBranch = around.worktree.baseBranch;
    if (around.worktree.branch !== undefined) task.worktreeBranch = around.worktree.branch;
  }
  if (around.aspectIds.length > 0) task.aspectIds = [...around.aspectIds];
  const byPlace = element.props["bookkeeping"] as readonly string[] | undefined;
  if (byPlace !== undefined) task.tally = { byPlace: byPlace.map((member) => taskAddress(member, around)) };
  const budgetRole = around.budgetRole ?? (byPlace === undefined ? null : "bookkeeping");
  if (budgetRole !== null) task.budgetRole = budgetRole;
  return Object.assign(task, resolveReferences(site, readReferences(site)));
}

function readReferences({ element, around }: Site): DraftReferences {
  const dependsOn = readTexts(element, "dependsOn");
  return {
    after: around.after,
    dependsOn,
    needs: readTextMap(element, "needs"),
    deps: readObject(element, "deps"),
    fork: readText(element, "fork"),
  };
}

function heartbeatTimeout({ element }: Site): number | null {
  const value = readTimeout(element, "heartbeatTimeoutMs");
  const alias = readTimeout(element, "heartbeatTimeout");
  if (value !== undefined && alias !== undefined && value !== alias) {
    throw invalid(
      element,
      "heartbeatTimeout",
      "the same value as its alias heartbeatTimeoutMs, or only one of them",
    );
  }
  return value ?? alias ?? null;
}
