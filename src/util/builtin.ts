/**
 * One of Node's own modules, by name: loaded with its first use. For those that cost a process milliseconds
 * at its start and that few processes need; all others are imported.
 */
export const builtin: typeof process.getBuiltinModule = process.getBuiltinModule;
