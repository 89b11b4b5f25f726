import type { Migration } from "./dialect.js";

/** What is remembered beyond runs: facts, what their words and their meaning are found by, and conversations. */
export const memory: Migration = {
  version: 9,
  name: "memory",
  statements: ({ serialKey, integer, compact, wordIndex }) => [
    `CREATE TABLE _service_memory_facts (
      fact_no ${serialKey},
      namespace TEXT NOT NULL,
      key TEXT NOT NULL,
      value_json TEXT NOT NULL,
      schema_sig TEXT,
      created_at_ms ${integer} NOT NULL,
      updated_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer},
      revision ${integer} NOT NULL,
      UNIQUE (namespace, key)
    )`,
    "CREATE INDEX _service_memory_facts_by_end ON _service_memory_facts (expires_at_ms) WHERE expires_at_ms IS NOT NULL",
    ...wordIndex("_service_memory_words"),
    `CREATE TABLE _service_memory_vectors (
      fact_no ${integer} NOT NULL,
      model TEXT NOT NULL,
      revision ${integer} NOT NULL,
      vector TEXT NOT NULL,
      PRIMARY KEY (fact_no, model)
    )`,
    `CREATE TABLE _service_memory_threads (
      thread_id TEXT NOT NULL PRIMARY KEY,
      namespace TEXT NOT NULL,
      title TEXT,
      metadata_json TEXT,
      created_at_ms ${integer} NOT NULL,
      updated_at_ms ${integer} NOT NULL
    ) ${compact}`,
    `CREATE TABLE _service_memory_messages (
      message_no ${serialKey},
      id TEXT NOT NULL UNIQUE,
      thread_id TEXT NOT NULL,
      role TEXT NOT NULL,
      content_json TEXT NOT NULL,
      run_id TEXT,
      node_id TEXT,
      created_at_ms ${integer} NOT NULL
    )`,
    "CREATE INDEX _service_memory_messages_by_time ON _service_memory_messages (thread_id, created_at_ms, message_no)",
  ],
};
