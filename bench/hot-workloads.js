import { sample } from "./measure.js";

/** Of hot reload: `npm run bench -- --hot`. A save is one of one file among 30. */
export const hotWorkloads = {
  "save to the new frame": { limit: { medianMs: 150 }, measure: () => sample("reload", 41, 100) },
  "200 saves": { limit: { kilobytesPerSave: 16 }, measure: () => sample("reload", 220, 1) },
};
