import { sample } from "./measure.js";

/** Beside a server without anything else, which sends frames of that size to as many. */
function commitToClients() {
  const [own, bare] = [sample("socket-clients", 100), sample("socket-clients", 100, "bare")];
  return { p99Ratio: own.p99Ms / bare.p99Ms, ...own, bareMs: bare.ms, bareP99Ms: bare.p99Ms };
}

/** Of the hosts: `npm run bench -- --hosts`. A ratio is the time of a gateway to that of a bare server which answers the same bytes. */
export const hostWorkloads = {
  "GET /health": { limit: { ratio: 2 }, measure: () => sample("host-requests", "health") },
  getRun: { limit: { ratio: 2.5 }, measure: () => sample("host-requests", "getRun") },
  "commit to a client": { measure: () => sample("event-latency") },
  "commit to 100 clients": { limit: { p99Ratio: 2 }, measure: commitToClients },
  // What a person does in the page, in milliseconds to the next picture.
  console: {
    limit: Object.fromEntries(
      ["arrow", "end", "fold", "filter", "type", "select", "searchEvents", "openGroup", "zoom"].map(
        (name) => [`${name}Ms`, 100],
      ),
    ),
    measure: () => sample("console"),
  },
  // What a page that stays open holds at the end, beside a quarter of the way.
  "open page": { limit: { growth: 1.2 }, measure: () => sample("open-page") },
  "launch to the first task": { measure: () => sample("launch") },
  // Of one core. Four ticks a second of an empty timer take half a percent of a machine at rest, whose caches are cold by then.
  "gateway with 2,000 runs that wait": {
    limit: { percent: 2.5 },
    measure: () => sample("idle-gateway", 2_000),
  },
};
