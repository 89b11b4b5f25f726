import type { LoadedFile } from "../../model/loaded-file.js";
import { loadedFilesTable } from "../engine-tables/runs.js";
import type { Query, Statement } from "../sql-port.js";
import { RUN_NO, upsertOf } from "./rows.js";

export function getLoadedFiles(runId: string): Query<LoadedFile[] | null> {
  return {
    sql: `SELECT ${loadedFilesTable.names()} FROM _service_loaded_files WHERE run_no = ${RUN_NO}`,
    params: [runId],
    read: (rows) => loadedFilesTable.first(rows, runId)?.files ?? null,
  };
}

export function writeLoadedFiles(runNo: number, files: readonly LoadedFile[]): Statement {
  return {
    sql: upsertOf(loadedFilesTable),
    params: [runNo, ...loadedFilesTable.write({ files: [...files] })],
  };
}
