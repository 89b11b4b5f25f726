/** The words of CREATE TABLE that differ between databases. */
export interface DdlWords {
  /** Column type and constraint of a generated, never reused integer key. */
  serialKey: string;
  /** 64-bit integer. */
  integer: string;
  /** 64-bit float. */
  real: string;
  /** Table option that keeps small rows inside the key's tree; may be empty. */
  compact: string;
}

export const SQLITE_WORDS: DdlWords = {
  serialKey: "INTEGER PRIMARY KEY AUTOINCREMENT",
  integer: "INTEGER",
  real: "REAL",
  compact: "WITHOUT ROWID",
};

/** One step of the engine tables' history. Never edited once released. */
export interface Migration {
  version: number;
  name: string;
  statements(words: DdlWords): string[];
}
