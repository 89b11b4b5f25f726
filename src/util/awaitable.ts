/** A value that may already be here. Synchronous stores return the value itself. */
export type Awaitable<T> = T | Promise<T>;
