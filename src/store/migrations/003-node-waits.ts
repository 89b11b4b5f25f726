import type { Migration } from "./dialect.js";

/** The newest announcement of a node's wait. */
const ANNOUNCED = `SELECT e.payload_json FROM _service_events e
  WHERE e.run_no = n.run_no AND e.node_id = n.node_id AND e.iteration = n.iteration AND e.type = 'NodeWaitingEvent'
  ORDER BY e.seq DESC LIMIT 1`;

const HAS_REQUEST = `EXISTS (SELECT 1 FROM _service_approvals a
  WHERE a.run_no = n.run_no AND a.node_id = n.node_id AND a.iteration = n.iteration AND a.status = 'requested')`;

const saidBy = (type: string) => `EXISTS (SELECT 1 FROM _service_events e
  WHERE e.run_no = n.run_no AND e.node_id = n.node_id AND e.iteration = n.iteration AND e.type = '${type}')`;

/**
 * Readers see on the node row what the node waits for, and of what kind it is, instead of looking
 * for it in the log. A waiting node that never announced a wait of its own has a child run that waits.
 */
export const nodeWaits: Migration = {
  version: 3,
  name: "node waits",
  statements: () => [
    "ALTER TABLE _service_nodes ADD COLUMN kind TEXT",
    "ALTER TABLE _service_nodes ADD COLUMN wait_json TEXT",
    `UPDATE _service_nodes AS n SET wait_json = CASE
        WHEN state = 'waiting-quota' THEN '{"kind":"quota"}'
        WHEN state = 'waiting-approval' AND ${HAS_REQUEST} THEN '{"kind":"approval"}'
        WHEN state = 'waiting-timer' AND ${saidBy("TimerCreated")} THEN '{"kind":"timer"}'
        WHEN state = 'waiting-event' AND ${saidBy("RunHijacked")} THEN '{"kind":"hijack"}'
        WHEN state = 'waiting-event' THEN
          COALESCE('{"kind":"event",' || substr((${ANNOUNCED}), 2), '{"kind":"child"}')
        ELSE '{"kind":"child"}' END
      WHERE state LIKE 'waiting-%'`,
  ],
};
