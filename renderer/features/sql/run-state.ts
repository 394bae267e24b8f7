// What the console ran, and how it ended. Pure.
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import type { PlanAnswer } from '../../../emulator/contract/query-plans.ts'
import type { SqlAnswer, SqlFailure } from '../../../emulator/contract/sql-console.ts'
import type { EditorPiece } from '../../ui/code-editor.tsx'

/** `plan` explains the statement without running it. `analyze` runs it, measures it and rolls back. */
export type RunMode = 'run' | 'rollback' | 'plan' | 'analyze'

export interface RunOrder {
  readonly tab: string
  readonly piece: EditorPiece
  /** Values of $1, $2 … */
  readonly values: readonly (string | null)[]
  /** `null` is the owner. */
  readonly identity: IdentityReference | null
  readonly mode: RunMode
  readonly maxRows: number
  /** The past instant whose rows a run reads. A run without it reads and writes the present rows. */
  readonly at?: string | undefined
}

export type RunState =
  | { readonly kind: 'running'; readonly order: RunOrder }
  | { readonly kind: 'answered'; readonly order: RunOrder; readonly answer: SqlAnswer }
  | { readonly kind: 'planned'; readonly order: RunOrder; readonly plan: PlanAnswer }
  | { readonly kind: 'refused'; readonly order: RunOrder; readonly error: unknown }
  | { readonly kind: 'cancelled'; readonly order: RunOrder }

/** Returns the error that Postgres answered; `undefined` for a run without an error. */
export function failureOf(run: RunState | undefined): SqlFailure | undefined {
  if (run?.kind === 'answered') return run.answer.error ?? undefined
  return run?.kind === 'planned' ? (run.plan.error ?? undefined) : undefined
}
