import { serviceMetrics } from "../../metrics/catalog.js";

/** A stream has been opened. @returns to be called once, when it has ended */
export function countStream(stream: string): () => void {
  serviceMetrics.streamsOpenedTotal.add(1, { stream });
  serviceMetrics.streamsActive.add(1, { stream });
  return () => serviceMetrics.streamsActive.add(-1, { stream });
}
