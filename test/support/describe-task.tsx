import type { ReactNode } from "react";
import { expect } from "vitest";
import { components } from "../../src/components/components.js";
import type { TaskDescriptor } from "../../src/model/task.js";
import { rig } from "./render-workflow.js";

const { Workflow } = components;

/** The descriptor of the only task in a workflow. */
export function describeTask(element: ReactNode): TaskDescriptor {
  const frame = rig(() => <Workflow name="w">{element}</Workflow>).render();
  expect(frame.tasks).toHaveLength(1);
  return frame.tasks[0] as TaskDescriptor;
}

/** What it says beyond its output's objects and its fingerprint. */
export function particulars(element: ReactNode): Partial<TaskDescriptor> {
  const { fingerprint, ordinal, outputTable, outputRef, outputSchema, ...others } = describeTask(element);
  return others;
}

/** The fields that every task has, of one with id `a` and output `note`. */
export const COMMON = {
  nodeId: "a",
  iteration: 0,
  needsApproval: false,
  skipIf: false,
  retries: Number.POSITIVE_INFINITY,
  timeoutMs: null,
  heartbeatTimeoutMs: null,
  continueOnFail: false,
  outputKey: "note",
  outputTableName: "out_note",
};
