import fc from "fast-check";

/**
 * Property tests draw the same values every time, so that the suite says the same
 * of the same code. `PROPERTY_SEED=$RANDOM` draws others; `RUNS` draws more where
 * a test reads it.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_101) });

/** How often a property is tried: some hundred times in the suite, always with the same values; `RUNS` times by `npm run fuzz`. */
export function propertyRuns(inSuite: number): { numRuns: number } {
  return { numRuns: Number(process.env.RUNS ?? inSuite) };
}

export default fc;
