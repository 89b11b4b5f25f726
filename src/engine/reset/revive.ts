import { type TaskKey, taskKey } from "../../model/address.js";
import type { RunImage } from "../../store/contract.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { planRevival, type Revival } from "./plan-revival.js";
import { resetImage } from "./reset-image.js";

/**
 * An explicit resume of an ended run gives what stopped it another chance.
 * Failures that a saga or try block has already dealt with stay as they are.
 */
export function revive(
  services: EngineServices,
  workflow: EngineWorkflow,
  stored: RunImage,
): { image: RunImage; revival: Revival | null } {
  const revival = planRevival(services, workflow, stored);
  const now = services.clock.now();
  const image =
    revival === null ? stored : resetImage(stored, revival.reset, { now, decisions: "put-aside" });
  reviveNodes(image, revival?.kept ?? new Set());
  return { image, revival };
}

function reviveNodes(image: RunImage, kept: ReadonlySet<TaskKey>): void {
  const handled = new Set(
    image.controls.flatMap((control) => (control.kind === "scope" ? (control.failedKey ?? []) : [])),
  );
  for (const row of image.nodes) {
    const key = taskKey(row);
    const isRevived = row.state === "cancelled" || (row.state === "failed" && !handled.has(key));
    if (!isRevived || kept.has(key)) continue;
    row.state = "pending";
    row.failures = 0;
    row.identicalFailures = 0;
    row.dueAtMs = null;
    row.waitingSinceMs = null;
    row.wait = null;
  }
}
