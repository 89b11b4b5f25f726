import { createRequire } from "node:module";
import type createReconciler from "react-reconciler";
import { createHostConfig } from "./host-config.js";
import { checkReact } from "./react-version.js";

checkReact();

// The production build whatever NODE_ENV says: the development one costs ten
// times as much per frame and prints to the console.
const create = createRequire(import.meta.url)(
  "react-reconciler/cjs/react-reconciler.production.js",
) as typeof createReconciler;

/**
 * One reconciler for all trees of the process. React keeps its work loop in it,
 * so a second one would only double the memory.
 */
export const reconciler = create(createHostConfig());
