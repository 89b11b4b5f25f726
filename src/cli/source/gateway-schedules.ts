import type { GatewayClient } from "../../client/index.js";
import { PAGE } from "./gateway-runs.js";
import { asked } from "./open-client.js";
import type { ScheduleSource } from "./schedule-source.js";

/** The schedules of a gateway. */
export function gatewaySchedules(client: GatewayClient): ScheduleSource {
  return {
    list: ({ history, ...filter }) =>
      asked(
        client.cronList({ ...filter, ...(history !== undefined && { history: Math.min(PAGE, history) }) }),
      ),
    create: (schedule) => asked(client.cronCreate(schedule)),
    update: (changes) => asked(client.cronUpdate(changes)),
    async remove(cronId, { dryRun }) {
      await asked(client.cronDelete({ cronId, dryRun }));
    },
    async run(request) {
      const { workflowKey: _key, ...occurrence } = await asked(client.cronRun(request));
      return occurrence;
    },
  };
}
