// Types of the differ: its input and its result.

/** A rename that the caller states or the differ suggests. */
export interface Rename {
  readonly kind: 'column' | 'table'
  /** `orders` for a table, `orders.total` for a column. A column's table has its name in the second structure. */
  readonly from: string
  readonly to: string
}

export interface DiffOptions {
  /** When true, statements that destroy data stand where they belong; otherwise at the end, held back. */
  readonly allowDestructive?: boolean
}

/** What a statement destroys: the rows of a table, the values of a column, or what a column's new type cuts off. */
export type Lost =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  | {
      readonly kind: 'type'
      readonly table: string
      readonly column: string
      /** The new type, as SQL prints it. */
      readonly type: string
    }

export interface DiffStatement {
  /** One statement without a closing semicolon. It names no schema, so it runs in any project. */
  readonly sql: string
  /** Why the statement destroys data. */
  readonly destroys?: string
  /** The rows or values concerned; absent when the statement destroys something else, such as a sequence's position. */
  readonly loses?: Lost
  /** True for a statement that destroys data, or that needs such a statement. */
  readonly isHeldBack: boolean
}

/** A difference that the statements leave. */
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

/** A statement in the making: its text still names the schema. */
export interface Draft {
  readonly sql: string
  readonly destroys?: string | undefined
  readonly loses?: Lost | undefined
}

export function draft(sql: string, destroys?: string, loses?: Lost): Draft {
  return destroys === undefined ? { sql } : { sql, destroys, loses }
}
