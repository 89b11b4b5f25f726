// Started as a process of its own: node server-program.mjs <dist folder> <options as JSON>.
const [, , dist, text] = process.argv;
const { startServer } = await import(`${dist}/src/hosts/server/index.js`);
const { createService } = await import(`${dist}/src/index.js`);
const { dbPath, ...options } = JSON.parse(text);
const db = dbPath === undefined ? {} : { db: createService({}, { dbPath }).db };
const server = startServer({ port: 0, ...db, ...options });
server.on("listening", () => console.log(server.address().port));
process.once("SIGTERM", () => server.close());
