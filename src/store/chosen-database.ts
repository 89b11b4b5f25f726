let chosen: string | undefined;

/**
 * The database of workflows that this process loads from now on, unless they name one themselves. Not
 * a variable of the environment: every child process would inherit it.
 */
export function chooseDatabase(path: string): void {
  chosen = path;
}

export function chosenDatabase(): string | undefined {
  return chosen;
}
