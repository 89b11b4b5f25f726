import { resolve } from "node:path";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { HotReloadOptions } from "../model/run-options.js";

const RULES = {
  rootDir: rules.name,
  outDir: rules.withDefault(rules.name, ".service/hmr"),
  maxGenerations: rules.withDefault(rules.positiveInteger, 3),
  cancelUnmounted: rules.withDefault(rules.flag, false),
  debounceMs: rules.withDefault(rules.wholeNumber, 100),
} satisfies rules.OptionRules<HotReloadOptions>;

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
  const given = checkOptions({ of: "hot", at: "hot" }, hot === true ? {} : hot, RULES);
  const rootDir = resolve(root, given.rootDir ?? ".");
  return { ...given, rootDir, outDir: resolve(rootDir, given.outDir) };
}
