const choice: { path?: string } = {};

/**
 * The database of workflows that this process loads from now on, unless they name one themselves. Not
 * a variable of the environment: every child process would inherit it.
 */
export function chooseDatabase(path: string): void {
  choice.path = path;
}

export function chosenDatabase(): string | undefined {
  return choice.path;
}
