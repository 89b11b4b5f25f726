import type { CliGroup } from "../command.js";

export const db: CliGroup = {
  commands: {
    copy: {
      summary: "copy all runs to a new database: a file, or a Postgres server",
      load: async () => (await import("./db-copy.js")).dbCopy,
    },
    check: {
      summary: "compare two databases, table by table",
      load: async () => (await import("./db-check.js")).dbCheck,
    },
    migrate: {
      summary: "bring a database to the version of this treadle",
      load: async () => (await import("./db-migrate.js")).dbMigrate,
    },
  },
};
