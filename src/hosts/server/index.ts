// treadle/server
export type { ServerOptions } from "./server-options.js";
export { startServer } from "./start-server.js";
