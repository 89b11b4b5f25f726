import { sample } from "./measure.js";

/** Of the hosts: `npm run bench -- --hosts`. A ratio is the time of a gateway to that of a bare server which answers the same bytes. */
export const hostWorkloads = {
  "GET /health": { limit: { ratio: 2 }, measure: () => sample("host-requests", "health") },
  getRun: { limit: { ratio: 2.6 }, measure: () => sample("host-requests", "getRun") },
  "commit to a client": { measure: () => sample("event-latency") },
  "launch to the first task": { measure: () => sample("launch") },
};
