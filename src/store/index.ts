// The door of this folder: what other folders may use. The architecture test holds that they use nothing else.

export { onOutsideChange } from "./change-feed.js";
export type { NewestScore, ScoreTrendRow } from "./across-runs.js";
export type { ChangedKind, ChangeMark } from "./change-marks.js";
export { chooseDatabase, chosenDatabase } from "./chosen-database.js";
export { refuseDepth } from "./columns/column.js";
export type { AttemptTimes } from "./row-contract.js";
export type {
  AwaitedSchema,
  Beat,
  BlockedBeat,
  CacheRow,
  FormerOwner,
  Lease,
  NewIntent,
  NewRun,
  OutputWrite,
  RunCommit,
  RunPatch,
  RunSnapshot,
  StoredFacts,
  RunWrite,
  Store,
  StoredIntent,
  UsageRow,
  WriteOutcome,
} from "./contract.js";
export { createPostgresDb, type PostgresPlace } from "./create-postgres-db.js";
export { createSqliteDb, twinDb } from "./create-sqlite-db.js";
export type {
  ApprovalFilter,
  ApprovalPosition,
  EventQuery,
  RunFilter,
  RunPosition,
  RunTimeFilter,
  RunTimeGroup,
  ScoreFilter,
  ScorePosition,
  WakingQuery,
} from "./filters.js";
export type {
  Announced,
  Dispatch,
  DispatchOrders,
  DispatchReport,
  FleetStore,
  KnownWorker,
  LeftReports,
  TakenReports,
  StandingDispatch,
  Taking,
  WaitingDispatch,
  WorkerCode,
  WorkerState,
} from "./fleet-contract.js";
export type { ChainedSnapshot, FrameRow, FrameWrite, StoredSnapshot } from "./frame-contract.js";
export type { OccurrenceKey } from "./host-records.js";
export {
  MAX_CONTINUATION_BYTES,
  MAX_DECISION_BYTES,
  MAX_HEARTBEAT_BYTES,
  MAX_INPUT_BYTES,
  MAX_OUTPUT_BYTES,
  MAX_SIGNAL_BYTES,
} from "./limits.js";
export type { FactAddress, FactVector, FoundFact, MemoryRecords, MemoryWrite } from "./memory-records.js";
export { newestOfChain } from "./newest-of-chain.js";
export { databaseAt, databaseName } from "./database-name.js";
export { openExisting } from "./open-existing.js";
export type { PostgresConnectionOptions } from "./postgres-options.js";
export { isPostgresUrl } from "./postgres/options.js";
export { ByRun, fileIdentity, realPathOf } from "./real-path.js";
export { schemaInJson } from "./repositories/answer-schemas.js";
export { threadNotFound } from "./repositories/memory-threads.js";
export type { RowCodec } from "./row-codec.js";
export { ServiceDb } from "./service-db.js";
export type {
  AcquireRequest,
  FreedSlot,
  IsAlive,
  LimitHolder,
  LimitQueue,
  LimitUse,
  SlotAnswer,
  SlotRequest,
} from "./slot-contract.js";
export { JOURNAL_MODES, type JournalMode } from "./sqlite/options.js";
export { SqliteStore } from "./sqlite/store.js";
export { checkTrustedCode, recordTrust, trustFile } from "./sqlite/trust.js";
export { INPUT_KEY } from "./tables/derive-tables.js";
export { outputKeyOfTable } from "./tables/drizzle-table.js";
export { ignoredRules } from "./tables/ignored-rules.js";
export { addressed } from "./tables/row-codec.js";
export { fromTaggedJson, toTaggedJson } from "./tables/tagged-json.js";
export type { PostgresWorkflowDatabase, WorkflowDatabase } from "./workflow-database.js";
export {
  declareOutputs,
  ignoredInputRules,
  inputSchemaOf,
  lendDatabase,
  schemasOf,
} from "./workflow-handles.js";
export { DATABASE_FILE, findWorkspaceFolder } from "./workspace-folder.js";
