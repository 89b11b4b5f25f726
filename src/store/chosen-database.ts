const choice: { path: string | undefined } = { path: undefined };

/**
 * The database of workflows that this process loads from now on, unless they name one themselves. Not
 * a variable of the environment: every child process would inherit it.
 * @param path undefined: none is chosen
 */
export function chooseDatabase(path: string | undefined): void {
  choice.path = path;
}

export function chosenDatabase(): string | undefined {
  return choice.path;
}
