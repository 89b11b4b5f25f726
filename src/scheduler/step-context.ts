import type { TaskKey } from "../model/address.js";
import type { EventBody } from "../model/events.js";
import type { ControlState } from "../model/plan.js";
import type { Command, Emit } from "./commands.js";
import type { Vertex } from "./graph-types.js";
import { type FrameRequest, keepControl, type NodeRecord, type SchedulerState } from "./state.js";

/** Handlers for a vertex before which nothing is pending any more, one per kind of vertex. */
export interface ReachHandlers {
  task(context: StepContext, index: number, vertex: Vertex): void;
  latch(context: StepContext, vertex: Vertex): void;
  continue(context: StepContext, index: number): void;
}

const NO_TASKS: ReadonlySet<TaskKey> = new Set();

/** One step's working set: the state, the time, where commands go, and the vertices still to open. */
export class StepContext {
  readonly state: SchedulerState;
  readonly now: number;
  readonly emit: Emit;
  /** Tasks that the frame being adopted adds to loops it has yet to decide: they do not begin before that. */
  heldBack: ReadonlySet<TaskKey> = NO_TASKS;
  readonly #handlers: ReachHandlers;
  /** Opened vertices whose successors are still to be opened. Explicit, so that long chains do not recurse. */
  readonly #opened: number[] = [];
  #draining = false;

  constructor(state: SchedulerState, now: number, commands: Command[], handlers: ReachHandlers) {
    this.state = state;
    this.now = now;
    this.emit = (command) => commands.push(command);
    this.#handlers = handlers;
  }

  /** Opens a vertex and everything that follows from it. */
  open(index: number): void {
    const vertex = this.state.graph.vertices[index] as Vertex;
    if (vertex.open) return;
    vertex.open = true;
    this.#opened.push(index);
    if (this.#draining) return;
    this.#draining = true;
    for (let next = this.#opened.pop(); next !== undefined; next = this.#opened.pop()) {
      const { vertices } = this.state.graph;
      for (const successor of (vertices[next] as Vertex).successors) {
        const after = vertices[successor] as Vertex;
        after.pending -= 1;
        if (after.pending === 0) this.#reach(successor, after);
      }
    }
    this.#draining = false;
  }

  #reach(index: number, vertex: Vertex): void {
    switch (vertex.kind) {
      case "join":
        return this.open(index);
      case "task":
        return this.#handlers.task(this, index, vertex);
      case "latch":
        return this.#handlers.latch(this, vertex);
      case "continue":
        return this.#handlers.continue(this, index);
      default:
        return vertex.kind satisfies never;
    }
  }

  event(body: EventBody): void {
    this.emit({ type: "event", body });
  }

  /** Announces a changed node row. */
  changed(node: NodeRecord): void {
    node.row.updatedAtMs = this.now;
    if (node.task !== null) node.row.label = node.task.label ?? null;
    this.state.isConfirmed = false;
    this.state.idle.note(node.key, node.row);
    this.emit({ type: "node", key: node.key });
  }

  control(control: ControlState): void {
    keepControl(this.state, control);
    this.state.isConfirmed = false;
    this.emit({ type: "control", id: control.id });
  }

  /** Asks for a frame; a forced request wins over one that a memoized frame may answer. */
  wantFrame(request: FrameRequest): void {
    const current = this.state.wantsFrame;
    if (current === null || (request.force && !current.force)) this.state.wantsFrame = request;
  }
}
