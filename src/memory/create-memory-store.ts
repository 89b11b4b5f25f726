import { serviceMetrics } from "../metrics/catalog.js";
import { namespaceText } from "../model/memory-namespace.js";
import type {
  MemoryFact,
  MemoryMessage,
  MemoryProcessorConfig,
  MemoryThread,
  MessageHistoryConfig,
  WorkingMemoryConfig,
} from "../model/memory.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { FactAddress, MemoryRecords } from "../store/index.js";
import type { Clock } from "../util/clock.js";
import { newId } from "../util/ids.js";
import { once } from "../util/once.js";
import { checkedJsonText, checkedLimit, checkedName, checkedTtl, factAddress, factJson } from "./checked.js";
import { withEffectTwins } from "./effect.js";
import type {
  MemoryOperations,
  MemoryStore,
  NamespaceInput,
  NewMessage,
  ProcessorReport,
  RecalledFact,
  RecallRequest,
  UntwinnedStore,
} from "./memory-store.js";
import { type MessageHistory, messageHistory } from "./message-history.js";
import { DEFAULT_TOP_K } from "../model/memory.js";
import { type MemoryProcessor, runProcessors } from "./processors/processor.js";
import { recallFacts } from "./recall.js";
import { type MemoryTarget, type OpenedTarget, openMemoryTarget } from "./target.js";
import { type FactSource, type WorkingMemory, workingMemory } from "./working-memory.js";

/** Options of `createMemoryStore` beside its target. */
export interface MemoryStoreOptions {
  /** The clock, such as the virtual clock of a test. @default the database's clock */
  clock?: Pick<Clock, "now">;
  /** The processors of `runProcessors`. @default none */
  processors?: readonly MemoryProcessor[];
}

const OPTION_RULES = {
  clock: rules.checked("an object with now()", (value) => hasMethod(value, "now")),
  processors: rules.checked(
    "a list of processors, each with a name and process()",
    (value) => Array.isArray(value) && value.every(isProcessor),
  ),
} satisfies rules.OptionRules<MemoryStoreOptions>;

const RECALL_RULES = {
  namespace: rules.required(rules.anything),
  query: rules.required(rules.text),
  topK: rules.withDefault(rules.anything, DEFAULT_TOP_K),
  similarityThreshold: rules.anything,
  embedder: rules.anything,
  signal: rules.abortSignal,
} satisfies rules.OptionRules<RecallRequest>;

const MESSAGE_RULES = {
  id: rules.name,
  threadId: rules.required(rules.name),
  role: rules.required(rules.name),
  contentJson: rules.required(rules.anything),
  runId: rules.name,
  nodeId: rules.name,
  createdAtMs: rules.milliseconds,
} satisfies rules.OptionRules<NewMessage>;

/** Threads that one list has at most. */
const MOST_THREADS = 1_000;

/**
 * Memory of a workflow's database, shared by all its runs and by every process that opens it.
 *
 * @param target a workflow, its `db` or a ServiceDb of it, or the path of a database file, which is made if there is none
 * @throws INVALID_INPUT for what is no target
 * @example
 * const memory = createMemoryStore("service.db");
 * await memory.setFact("user:ada", "language", "Portuguese");
 * const [fact] = await memory.recall({ namespace: "user:ada", query: "Which language?" });
 */
export function createMemoryStore(target: MemoryTarget, options: MemoryStoreOptions = {}): MemoryStore {
  checkOptions("createMemoryStore", options, OPTION_RULES);
  return withEffectTwins(new StoredMemory(openMemoryTarget(target), options), OPERATIONS);
}

const OPERATIONS = Object.keys({
  getFact: true,
  setFact: true,
  deleteFact: true,
  listFacts: true,
  recall: true,
  createThread: true,
  getThread: true,
  listThreads: true,
  deleteThread: true,
  saveMessage: true,
  listMessages: true,
  countMessages: true,
  replaceMessages: true,
  deleteExpiredFacts: true,
  runProcessors: true,
} satisfies Record<keyof MemoryOperations, true>) as (keyof MemoryOperations)[];

class StoredMemory implements UntwinnedStore {
  readonly #opened: OpenedTarget;
  readonly #records: () => Promise<MemoryRecords>;
  readonly #clock: Pick<Clock, "now">;
  readonly #processors: readonly MemoryProcessor[];

  constructor(opened: OpenedTarget, { clock = opened.store.clock, processors = [] }: MemoryStoreOptions) {
    const { store } = opened;
    this.#opened = opened;
    this.#records = once(async () => {
      await store.prepare();
      return store.memory;
    });
    this.#clock = clock;
    this.#processors = processors;
  }

  async getFact(namespace: NamespaceInput, key: string): Promise<MemoryFact | undefined> {
    const address = factAddress(namespace, key);
    const fact = await (await this.#records()).getFact(address, this.#clock.now());
    if (fact !== undefined) serviceMetrics.memoryFactReads.add();
    return fact;
  }

  async setFact(namespace: NamespaceInput, key: string, value: unknown, ttlMs?: number): Promise<MemoryFact> {
    const address = factAddress(namespace, key);
    const ttl = checkedTtl(ttlMs);
    const valueJson = factJson(value, address);
    return this.#write(address, { valueJson, ...(ttl !== undefined && { ttlMs: ttl }) });
  }

  async deleteFact(namespace: NamespaceInput, key: string): Promise<boolean> {
    const address = factAddress(namespace, key);
    return (await this.#records()).deleteFact(address, this.#clock.now());
  }

  async listFacts(namespace: NamespaceInput): Promise<MemoryFact[]> {
    const filter = { namespace: namespaceText(namespace), nowMs: this.#clock.now() };
    const facts = await (await this.#records()).listFacts(filter);
    serviceMetrics.memoryFactReads.add(facts.length);
    return facts;
  }

  async recall(request: RecallRequest): Promise<RecalledFact[]> {
    const asked = checkOptions("recall", request, RECALL_RULES);
    const namespace = namespaceText(asked.namespace);
    const found = await recallFacts(await this.#records(), this.#clock, { ...asked, namespace });
    return found.map(({ fact, score }) => ({ ...fact, score }));
  }

  async createThread(namespace: NamespaceInput, title?: string): Promise<MemoryThread> {
    if (title !== undefined && typeof title !== "string") refuseOption("title", "a text", title);
    const nowMs = this.#clock.now();
    const thread: MemoryThread = {
      threadId: newId(),
      namespace: namespaceText(namespace),
      ...(title !== undefined && { title }),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    await (await this.#records()).createThread(thread);
    return thread;
  }

  async getThread(threadId: string): Promise<MemoryThread | undefined> {
    const id = checkedName("threadId", threadId);
    return (await this.#records()).getThread(id);
  }

  async listThreads(namespace?: NamespaceInput): Promise<MemoryThread[]> {
    const filter = namespace === undefined ? {} : { namespace: namespaceText(namespace) };
    return (await this.#records()).listThreads({ ...filter, limit: MOST_THREADS });
  }

  async deleteThread(threadId: string): Promise<boolean> {
    const id = checkedName("threadId", threadId);
    return (await this.#records()).deleteThread(id);
  }

  async saveMessage(message: NewMessage): Promise<MemoryMessage> {
    checkOptions("saveMessage", message, MESSAGE_RULES);
    const contentJson = checkedJsonText("contentJson", message.contentJson);
    const { id = newId(), createdAtMs = this.#clock.now() } = message;
    const saved: MemoryMessage = { ...message, contentJson, id, createdAtMs };
    await (await this.#records()).saveMessage(saved);
    serviceMetrics.memoryMessageSaves.add();
    return saved;
  }

  async listMessages(threadId: string, limit?: number): Promise<MemoryMessage[]> {
    const id = checkedName("threadId", threadId);
    const most = checkedLimit(limit);
    return (await this.#records()).listMessages({ threadId: id, ...(most !== undefined && { limit: most }) });
  }

  async countMessages(threadId: string): Promise<number> {
    const id = checkedName("threadId", threadId);
    return (await this.#records()).countMessages(id);
  }

  async replaceMessages(
    threadId: string,
    ids: readonly string[],
    by?: Pick<NewMessage, "role" | "contentJson">,
  ): Promise<boolean> {
    const thread = checkedName("threadId", threadId);
    if (!rules.texts.fits(ids) || ids.length === 0)
      refuseOption("ids", "a list of ids that is not empty", ids);
    const message = by && {
      id: newId(),
      threadId: thread,
      role: checkedName("role", by.role),
      contentJson: checkedJsonText("contentJson", by.contentJson),
      createdAtMs: this.#clock.now(),
    };
    return (await this.#records()).replaceMessages(thread, [...new Set(ids)], message);
  }

  async deleteExpiredFacts(): Promise<number> {
    return (await this.#records()).deleteExpiredFacts(this.#clock.now());
  }

  runProcessors(config?: MemoryProcessorConfig): Promise<ProcessorReport[]> {
    return runProcessors(this, this.#processors, config);
  }

  workingMemory<Value = unknown>(config: WorkingMemoryConfig<Value>): WorkingMemory<Value> {
    const source: FactSource = {
      getFact: (namespace, key) => this.getFact(namespace, key),
      deleteFact: (namespace, key) => this.deleteFact(namespace, key),
      listFacts: (namespace) => this.listFacts(namespace),
      write: (address, value) => this.#write(address, value),
    };
    return workingMemory(source, config);
  }

  messageHistory(config: MessageHistoryConfig): MessageHistory {
    return messageHistory(this, config);
  }

  async close(): Promise<void> {
    const { store, isOwn } = this.#opened;
    if (isOwn) await store.close();
  }

  async #write(address: FactAddress, value: Parameters<FactSource["write"]>[1]): Promise<MemoryFact> {
    const fact = await (await this.#records()).setFact({ ...address, ...value, nowMs: this.#clock.now() });
    serviceMetrics.memoryFactWrites.add();
    return fact;
  }
}

function isProcessor(value: unknown): boolean {
  return hasMethod(value, "process") && rules.name.fits((value as MemoryProcessor).name);
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Record<string, unknown>)[name] === "function"
  );
}
