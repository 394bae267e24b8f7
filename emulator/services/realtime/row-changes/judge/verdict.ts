// Defines the types of the judge, which decides which identities see a row change (docs/wire/realtime.md#changes).
// judge-by-policies.ts implements the judge.
import type { Principal } from '../../../../core/principal.ts'
import type { RowChange } from '../../../../database/changes/row-change.ts'

/** A subscriber's role and claims from its realtime token. Identities with equal `role` and `claimsText` are judged once. */
export type Identity = Principal & {
  readonly role: 'anon' | 'authenticated' | 'service_role'
}

export type Verdict =
  /** The identity may read the current row. For a DELETE, the identity gets the key. */
  | { readonly kind: 'visible' }
  /** No policy lets the identity read the row, or the row no longer exists. */
  | { readonly kind: 'hidden'; readonly policies: readonly string[] }
  /** The table has no row-level security (docs/wire/realtime.md#changes). */
  | { readonly kind: 'rlsOff' }
  /** A policy reads another table or raised an error, so the policy counts as false. */
  | { readonly kind: 'notEvaluable'; readonly policies: readonly string[]; readonly reason: string }
  /** The role may not select the table or its key, or the table has no key. The frame's `errors` gives the reason. */
  | { readonly kind: 'refused'; readonly error: string }

export interface JudgedChange {
  readonly change: RowChange
  /** The verdict for each given identity, in the same order. */
  readonly verdicts: readonly Verdict[]
  /**
   * Returns the frame's `data` for a role as JSON text: schema, table, commit_timestamp, type, columns, record, old_record,
   * errors. Call `dataJson` only for a verdict `visible` or `refused`.
   * @param only the names of the columns to include in addition to the key (default: all columns)
   */
  dataJson(role: Identity['role'], only?: ReadonlySet<string>): string
}

/** Judges changes of one project. `judge` never rejects: a policy that fails or stops the engine hides the row. */
export interface ChangeJudge {
  judge(
    changes: readonly RowChange[],
    identities: readonly Identity[],
  ): Promise<readonly JudgedChange[]>
}
