import { Loop } from "./Loop.js";

/**
 * The old name of {@link Loop}.
 * @deprecated Use {@link Loop}.
 */
export const Ralph = Loop;
