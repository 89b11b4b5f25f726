import { createRequire } from "node:module";
import type createReconciler from "react-reconciler";
import { evaluateModule } from "../startup/compiled-script.js";
import { once } from "../util/once.js";
import { createHostConfig } from "./host-config.js";
import { checkReact } from "./react-version.js";

checkReact();

const require = createRequire(import.meta.url);

/**
 * One reconciler for all trees of the process, made for the first of them. React keeps its work loop
 * in it, so a second one would only double the memory.
 */
export const sharedReconciler = once(() => {
  // The production builds whatever NODE_ENV says: the development one of the reconciler costs
  // ten times as much per frame and prints to the console.
  const path = require.resolve("react-reconciler/cjs/react-reconciler.production.js");
  const create = evaluateModule(path, withScheduler) as typeof createReconciler;
  return create(createHostConfig());
});

function withScheduler(require: NodeJS.Require): (name: string) => unknown {
  return (name) =>
    name === "scheduler"
      ? evaluateModule(require.resolve("scheduler/cjs/scheduler.production.js"))
      : require(name);
}
