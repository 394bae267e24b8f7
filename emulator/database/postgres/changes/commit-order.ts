// Puts the commits of a project into the order in which others could see them. A transaction's notification gives its place, and
// its rows come from the outbox, which is read in rounds. Pure.
import type { CapturedRows } from '../../engine-changes.ts'

/** What one transaction told before its commit. */
export interface Announcement {
  /** Id of the transaction (`pg_current_xact_id()`). */
  readonly transaction: string
  readonly kind: 'rows' | 'schema'
  readonly requestId: string | undefined
}

export interface OrderedCommit {
  readonly rows: CapturedRows | undefined
  readonly isSchemaChanged: boolean
  readonly requestId: string | undefined
}

interface Announced {
  readonly transaction: string
  /** The first round that sees what the transaction committed. */
  readonly round: number
  isSchemaChanged: boolean
  requestId: string | undefined
}

/** A row of the outbox: the transaction's id, then the columns of `CapturedRows`. */
export type OutboxRow = readonly [transaction: string, ...cells: (Uint8Array | null)[]]

export class CommitOrder {
  readonly #announced: Announced[] = []
  readonly #rows = new Map<string, (readonly (Uint8Array | null)[])[]>()
  #round = 0

  /** True when a round is needed for what was announced. */
  get isWaiting(): boolean {
    return (this.#announced.at(-1)?.round ?? 0) > this.#round
  }

  /** Takes announcements in the order in which the server delivers them. Those of one transaction follow each other. */
  announced({ transaction, kind, requestId }: Announcement): void {
    const last = this.#announced.at(-1)
    const commit: Announced =
      last?.transaction === transaction
        ? last
        : { transaction, round: this.#round + 1, isSchemaChanged: false, requestId: undefined }
    if (kind === 'schema') commit.isSchemaChanged = true
    else commit.requestId ??= requestId
    if (commit !== last) this.#announced.push(commit)
  }

  /** A round begins: it sees everything that was announced so far. */
  begin(): void {
    this.#round += 1
  }

  /** Ends the round that `begin` began, with the rows that it found. Returns the commits that are complete now. */
  end(found: readonly OutboxRow[]): readonly OrderedCommit[] {
    for (const [transaction, ...cells] of found) {
      const known = this.#rows.get(transaction)
      if (known === undefined) this.#rows.set(transaction, [cells])
      else known.push(cells)
    }
    const commits: OrderedCommit[] = []
    for (let next = this.#announced[0]; next !== undefined; next = this.#announced[0]) {
      if (next.round > this.#round) break
      this.#announced.shift()
      const { transaction, isSchemaChanged, requestId } = next
      const rows = this.#rows.get(transaction)
      this.#rows.delete(transaction)
      if (rows !== undefined || isSchemaChanged) commits.push({ rows, isSchemaChanged, requestId })
    }
    return commits
  }
}
