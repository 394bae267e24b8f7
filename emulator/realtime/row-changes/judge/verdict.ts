// Types of the judge, which decides which identity sees a row change (docs/wire/realtime.md#changes). judge-by-policies.ts implements it.
import type { ActingPrincipal } from '../../../database/as-principal.ts'
import type { RowChange } from '../../../database/changes/row-change.ts'

/** A subscriber's role and claims, as its realtime token carries them. Equal `role` and `claimsText` are judged once. */
export type Identity = ActingPrincipal & {
  readonly role: 'anon' | 'authenticated' | 'service_role'
}

export type Verdict =
  /** The identity may read the row as it is now; for a DELETE it gets the key. */
  | { readonly kind: 'visible' }
  /** No policy lets it read the row, or the row no longer exists. */
  | { readonly kind: 'hidden'; readonly policies: readonly string[] }
  /** The table has no row-level security (docs/wire/realtime.md#changes). */
  | { readonly kind: 'rlsOff' }
  /** A policy reads another table, or raised: it counts as false. */
  | { readonly kind: 'notEvaluable'; readonly policies: readonly string[]; readonly reason: string }
  /** The role may not select the table or its key, or the table has no key: `errors` says so. */
  | { readonly kind: 'refused'; readonly error: string }

/** A change as an identity's role may see it; the same object for all identities of one role. */
export interface ShownChange {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /**
   * JSON text of the frame's `data`: schema, table, commit_timestamp, type, columns, record, old_record, errors.
   * @param only names of columns to keep beside the key; all when absent
   */
  dataJson(only?: ReadonlySet<string>): string
}

export interface JudgedChange {
  readonly change: RowChange
  /** One per identity given, in their order. */
  readonly verdicts: readonly Verdict[]
  /** The change for an identity whose verdict is `visible` or `refused`. */
  shownTo(role: Identity['role']): ShownChange
}

/** Judges changes of one project. Never rejects: a policy that fails, or takes the engine with it, hides the row. */
export interface ChangeJudge {
  judge(
    changes: readonly RowChange[],
    identities: readonly Identity[],
  ): Promise<readonly JudgedChange[]>
}
