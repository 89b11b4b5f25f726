import { join, resolve } from "node:path";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { HotReloadOptions } from "../model/run-options.js";

const RULES: rules.OptionRules<HotReloadOptions> = {
  rootDir: rules.name,
  outDir: rules.name,
  maxGenerations: rules.positiveInteger,
  cancelUnmounted: rules.flag,
  debounceMs: rules.wholeNumber,
};

/** @throws INVALID_INPUT naming the option, what is expected and what arrived */
export function checkHotOptions(hot: unknown): void {
  if (hot === undefined || typeof hot === "boolean") return;
  if (typeof hot !== "object" || hot === null || Array.isArray(hot)) {
    refuseOption("hot", "true, false or the options of hot reload", hot);
  }
  checkOptions({ of: "hot", at: "hot" }, hot as HotReloadOptions, RULES);
}

export type ResolvedHotOptions = Required<HotReloadOptions>;

/** @param root folder that paths are relative to unless `rootDir` says otherwise, absolute */
export function resolveHotOptions(hot: true | HotReloadOptions, root: string): ResolvedHotOptions {
  const given = hot === true ? {} : hot;
  const rootDir = resolve(root, given.rootDir ?? ".");
  return {
    rootDir,
    outDir: resolve(rootDir, given.outDir ?? join(".service", "hmr")),
    maxGenerations: given.maxGenerations ?? 3,
    cancelUnmounted: given.cancelUnmounted ?? false,
    debounceMs: given.debounceMs ?? 100,
  };
}
