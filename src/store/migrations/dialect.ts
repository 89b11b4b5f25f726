/** The words of CREATE TABLE that differ between databases. */
export interface DdlWords {
  /** Column type and constraint of a generated, never reused integer key. */
  serialKey: string;
  /** 64-bit integer. */
  integer: string;
  /** A moment, which may have a fraction, and lie further away than a 64-bit integer says. */
  instant: string;
  /** 64-bit float. */
  real: string;
  /** Text that is compared by the numbers of its characters. */
  text: string;
  /** Table option that keeps small rows inside the key's tree; may be empty. */
  compact: string;
  /** Statements that make an index of words, by the number of the row they come from. */
  wordIndex(name: string): string[];
}

export const SQLITE_WORDS: DdlWords = {
  serialKey: "INTEGER PRIMARY KEY AUTOINCREMENT",
  integer: "INTEGER",
  instant: "INTEGER",
  real: "REAL",
  text: "TEXT",
  compact: "WITHOUT ROWID",
  wordIndex: (name) => [
    // Words of its own have no other characters than these (see memory-words): nothing else separates them.
    `CREATE VIRTUAL TABLE ${name} USING fts5(words,
      tokenize = "porter unicode61 remove_diacritics 2 categories 'L* M* N* Co' tokenchars '_'")`,
    // Deleted words are not left in the index until it is next merged.
    `INSERT INTO ${name} (${name}, rank) VALUES ('secure-delete', 1)`,
  ],
};

/**
 * A change of the engine tables, for databases that were made before it: new ones are made as their tables are
 * described. Never edited once released.
 */
export interface Migration {
  version: number;
  name: string;
  statements(words: DdlWords): string[];
}
