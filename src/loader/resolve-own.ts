import type { OwnResolver } from "./package-plugin.js";

/** A specifier as this library's own files see it. */
export const resolveOwn: OwnResolver = (name) => import.meta.resolve(name);
