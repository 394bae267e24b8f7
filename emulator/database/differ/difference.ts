// Types of the differ: its input and its result.

/** A rename that the caller states or the differ suggests. */
export interface Rename {
  readonly kind: 'column' | 'table'
  /** `orders` for a table, `orders.total` for a column. The table's name in `orders.total` is that of the second structure. */
  readonly from: string
  readonly to: string
}

export interface DiffOptions {
  /** When true, statements that destroy data keep their place in the order. Otherwise they come last and are held back. */
  readonly allowDestructive?: boolean
}

/** What a statement destroys: the rows of a table, the values of a column, or values that do not fit a column's new type. */
export type Lost =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  | {
      readonly kind: 'type'
      readonly table: string
      readonly column: string
      /** The new type in SQL syntax. */
      readonly type: string
    }

export interface DiffStatement {
  /** One statement without a closing semicolon. It names no schema, so it runs in any project. */
  readonly sql: string
  /** Why the statement destroys data. */
  readonly destroys?: string
  /** The lost rows or values. Absent when the statement destroys other data, such as a sequence's position. */
  readonly loses?: Lost
  /** True for a statement that destroys data, or that needs such a statement. */
  readonly isHeldBack: boolean
}

/** A difference that the statements do not remove. */
export interface NotGenerated {
  /** For example `table orders` or `column orders.total`. */
  readonly object: string
  readonly reason: string
}

export interface DiffResult {
  /** The statements in the order in which they run in one transaction. */
  readonly statements: readonly DiffStatement[]
  /** Pairs of a dropped and an added object that may be one renamed object. */
  readonly renameCandidates: readonly Rename[]
  readonly notGenerated: readonly NotGenerated[]
}

/** A draft of a statement, whose text still names the schema. */
export interface Draft {
  readonly sql: string
  readonly destroys?: string | undefined
  readonly loses?: Lost | undefined
}

export function draft(sql: string, destroys?: string, loses?: Lost): Draft {
  return destroys === undefined ? { sql } : { sql, destroys, loses }
}
