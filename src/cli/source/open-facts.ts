import {
  listMemoryFacts,
  type MemoryFactFilter,
  type MemoryFactPage,
  openWorkspace,
} from "../../operations/index.js";
import type { CommandCall } from "../command.js";

/** Facts that a call asks for: of a gateway if one was chosen, else of a database. @throws CLI_DB_NOT_FOUND */
export async function listFacts(
  { terminal, options }: CommandCall,
  filter: MemoryFactFilter,
): Promise<MemoryFactPage> {
  const { gateway, db } = options;
  if (gateway === undefined) {
    const workspace = await openWorkspace(terminal, { ...(db !== undefined && { db }), readOnly: true });
    try {
      return await listMemoryFacts(workspace.db, filter);
    } finally {
      await workspace.store.close();
    }
  }
  const [{ asked, openClient }, { PAGE }] = await Promise.all([
    import("./open-client.js"),
    import("./gateway-runs.js"),
  ]);
  const client = await openClient(gateway, terminal);
  const { limit = PAGE, ...chosen } = filter;
  try {
    return await asked(client.listMemoryFacts({ ...chosen, limit: Math.min(PAGE, limit) }));
  } finally {
    client.close();
  }
}
