import type { EngineTable } from "../columns/row-table.js";
import { answerSchemaTable } from "./answer-schemas.js";
import { approvalTable } from "./approvals.js";
import { migrationTable, outputColumnTable, outputTableTable } from "./catalogue.js";
import { storedControlTable } from "./controls.js";
import { storedEventTable } from "./events.js";
import { storedFrameTable } from "./frames.js";
import { nodeHistoryTable, outputHistoryTable } from "./history.js";
import { inboxTable } from "./inbox.js";
import { limitDeclarationTable, limitSlotTable, limitWaiterTable } from "./limits.js";
import { factTable, messageTable, threadTable, vectorTable } from "./memory.js";
import { storedAttemptTable, storedNodeTable } from "./nodes.js";
import { questionTable } from "./questions.js";
import { loadedFilesTable, resumeFailureTable, runConfigTable, runTable } from "./runs.js";
import { occurrenceTable, scheduleTable } from "./schedules.js";
import { scoreTable } from "./scores.js";
import { toolEffectTable } from "./tool-effects.js";
import { cacheTable, usageTable } from "./usage.js";
import { deliveryTable, refusalTable } from "./webhooks.js";

/** Every table of the engine: what the database has besides these are the tables of workflows. */
export const engineTables: readonly EngineTable[] = [
  runTable,
  runConfigTable,
  loadedFilesTable,
  storedNodeTable,
  storedAttemptTable,
  storedEventTable,
  storedFrameTable,
  inboxTable,
  approvalTable,
  answerSchemaTable,
  storedControlTable,
  nodeHistoryTable,
  outputHistoryTable,
  usageTable,
  questionTable,
  scoreTable,
  toolEffectTable,
  resumeFailureTable,
  limitDeclarationTable,
  limitSlotTable,
  limitWaiterTable,
  cacheTable,
  scheduleTable,
  occurrenceTable,
  deliveryTable,
  refusalTable,
  factTable,
  vectorTable,
  threadTable,
  messageTable,
  outputTableTable,
  outputColumnTable,
  migrationTable,
];
