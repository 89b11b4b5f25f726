import Database from "better-sqlite3";
import { z } from "zod";
import { taskKey } from "../../src/model/address.js";
import { createSqliteDb } from "../../src/store/create-sqlite-db.js";
import { delivery, occurrence, schedule } from "../conformance/store/host-fixtures.js";
import { attempt, events, frame, INTENTS, newRun, node, step } from "../conformance/store/fixtures.js";

export const filledSchemas = {
  input: z.object({ topic: z.string(), depth: z.int().optional() }),
  draft: z.looseObject({
    text: z.string(),
    words: z.int(),
    share: z.number(),
    isLong: z.boolean(),
    when: z.date(),
    tags: z.array(z.string()),
  }),
};

const error = {
  name: "Error",
  code: "X",
  message: "no",
  details: { a: 1 },
  cause: { name: "E", message: "m" },
};

/** A database with a row, and a value in every column, of every table. */
export function fillDatabase(path: string): void {
  const { store } = createSqliteDb({ path, schemas: filledSchemas });
  store.createRun(
    newRun({
      parentRunId: "run-0",
      workflowPath: "/w.tsx",
      workflowHash: "h",
      config: {
        maxConcurrency: 4,
        requireRerenderOnOutputChange: true,
        annotations: { team: "a" },
        auth: { triggeredBy: "me", role: "dev", scopes: ["*"], createdAt: "2030-01-01" },
        continuation: {
          fromRunId: "run-0",
          depth: 1,
          timers: { "t::0": 5 },
          earlierRows: { draft: { a: 1 } },
        },
      },
      input: { topic: "tea", depth: 2 },
    }),
  );
  const row = {
    text: "x",
    words: 1,
    share: 0.5,
    isLong: false,
    when: new Date(0),
    tags: ["a", "b"],
    more: { of: [new Date(1), 2n] },
  };
  const columns = store.codec("draft").encode(row);
  store.commit(
    step({
      run: {
        status: "waiting-approval",
        startedAtMs: 1,
        finishedAtMs: 2,
        wakeAtMs: 3,
        nextRunId: "run-2",
        error,
        summary: { failedChildKeys: ["a::0"], exhaustedLoops: ["l"] },
        paused: null,
      },
      nodes: [
        node("a", {
          failureFingerprint: "f",
          dueAtMs: 1,
          waitingSinceMs: 1,
          loopId: "l",
          label: "A",
          finishedSeq: 1,
          kind: "event",
          state: "waiting-event",
          wait: { kind: "event", event: "paid", correlationId: "7" },
          error,
        }),
      ],
      attempts: [
        attempt("a", {
          finishedAtMs: 1,
          heartbeatAtMs: 1,
          heartbeatJson: '{"at":[1,2]}',
          error,
          meta: { agentId: "x", childTokens: 3, sessionId: "s" },
        }),
      ],
      outputs: [{ outputKey: "draft", nodeId: "a", iteration: 0, columns }],
      controls: [
        { kind: "loop", id: "l", iteration: 1, done: false, exhausted: false },
        { kind: "scope", id: "s", phase: "recover", error, undo: ["u"] },
        {
          kind: "hold",
          id: taskKey({ nodeId: "h", iteration: 0 }),
          reason: "r",
          asks: true,
          sinceMs: 1,
          isOpen: true,
        },
        {
          kind: "alert",
          id: "run-failed",
          destination: null,
          alert: {
            rule: "run-failed",
            severity: "info",
            message: "m",
            runId: "run-1",
            workflowName: "essay",
            timestampMs: 1,
            idempotencyKey: "k",
            labels: { a: "b" },
          },
        },
      ],
      events: events(
        0,
        { type: "RunStarted", workflowName: "essay", resumed: false, ownerId: "o" },
        { type: "NodeStarted", nodeId: "a", iteration: 0, attempt: 1 },
        { type: "NodeFailed", nodeId: "a", iteration: 0, attempt: 1, error },
        { type: "FrameCommitted", frameNo: 1, reason: "mount" },
        { type: "RunFailed", error },
      ),
      frames: [
        frame(1, {
          nodeId: "a",
          iteration: 0,
          snapshot: {
            encoding: "keyframe",
            json: '{"xml":{"kind":"element","tag":"workflow","props":{"name":"w"},"children":[{"kind":"text","text":"t"}]},"tasks":[{"nodeId":"a","iteration":0,"kind":"event","fingerprint":"f"}]}',
          },
        }),
        frame(2, {
          snapshot: {
            encoding: "delta",
            json: '{"xml":{"props":{"a":"b"},"children":[1,{"+":[{"kind":"text","text":"u"}]}]},"tasks":[{"~":{"fingerprint":"g"}}]}',
          },
        }),
      ],
      approvals: [
        {
          runId: "run-1",
          nodeId: "a",
          iteration: 0,
          status: "requested",
          mode: "select",
          request: { title: "?", summary: "s", metadata: { a: 1 } },
          options: [{ key: "k", label: "K" }],
          allowedScopes: ["s"],
          allowedUsers: ["u"],
          requestHash: "h",
          requestedAtMs: 1,
          decidedAtMs: 2,
          decision: { approved: true, note: "n", ranked: ["k"] },
          autoApproved: false,
        },
      ],
      usage: [
        {
          runId: "run-1",
          nodeId: "a",
          iteration: 0,
          attempt: 1,
          callNo: 0,
          agentId: "x",
          model: "m",
          inputTokens: 1,
          outputTokens: 1,
          cacheReadTokens: 1,
          cacheWriteTokens: 1,
          reasoningTokens: 1,
          atMs: 1,
        },
      ],
      sampledScores: [
        {
          nodeId: "a",
          iteration: 0,
          attempt: 1,
          scorerId: "style",
          source: "live",
          id: "scorer_1",
          scorerName: "Style",
          state: "pending",
          score: 0.5,
          reason: "r",
          error,
          metaJson: '{"a":[1]}',
          inputJson: '"p"',
          outputJson: '{"text":"x"}',
          groundTruthJson: '{"text":"y"}',
          contextJson: '["c"]',
          latencyMs: 1,
          sampledAtMs: 1,
          scoredAtMs: 2,
          durationMs: 1,
        },
      ],
      cache: [
        {
          cacheKey: "cached",
          outputKey: "draft",
          signature: "s",
          columns,
          workflowName: "essay",
          nodeId: "a",
          createdAtMs: 1,
          expiresAtMs: 2,
        },
      ],
    }),
  );
  for (const intent of Object.values(INTENTS)) {
    store.submitIntent({ runId: "run-1", intent, createdAtMs: 1, dedupeKey: intent.kind });
  }
  store.schedules.create(schedule);
  const reason = "late";
  const missed = occurrence(2, { state: "skipped-missed", settledAtMs: 3, error, reason });
  store.schedules.cover({ schedule, coveredUntilMs: 2, due: [], missed: [missed] });
  const settled = { result: { delivered: [], started: { runId: "r" } }, error, settledAtMs: 2 };
  store.deliveries.receive({ ...delivery, ...settled });
  const fact = { namespace: "workflow:essay", key: "k", valueJson: '{"text":"tea"}', schemaSig: "s" };
  store.memory.setFact({ ...fact, nowMs: 1, ttlMs: 2 ** 42 });
  store.memory.keepVectors([{ factNo: 1, revision: 1, model: "m", vector: Float32Array.of(0.5, 1) }]);
  const at = { createdAtMs: 1, updatedAtMs: 2 };
  store.memory.createThread({ threadId: "t", namespace: "user:a", title: "T", metadataJson: "{}", ...at });
  const of = { threadId: "t", runId: "run-1", nodeId: "a", createdAtMs: 1 };
  store.memory.saveMessage({ id: "m", role: "user", contentJson: '"hi"', ...of });
  store.setResumeFailure("run-1", {
    failures: 1,
    error,
    failedAtMs: 1,
    retryAtMs: 2,
    pendingIntents: 1,
    code: "c",
  });
  store.close();
  // A checksum would find out before any code looks at the value.
  const db = new Database(path);
  db.exec("UPDATE draft SET _checksum = NULL; UPDATE input SET _checksum = NULL");
  db.close();
}
