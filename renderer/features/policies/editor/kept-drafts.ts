// Keeps drafts of policies that the user neither applied nor discarded. The editor shows them again until the page reloads.
import type { PolicyDraft } from './policy-statements.ts'

const drafts = new Map<string, PolicyDraft>()

export interface DraftPlace {
  readonly tenant: string
  readonly table: string
  /** `undefined` for a new policy. */
  readonly policy: string | undefined
}

export function keptDraft(place: DraftPlace): PolicyDraft | undefined {
  return drafts.get(keyOf(place))
}

/** Keeps the draft. `undefined` discards the kept draft. */
export function keepDraft(place: DraftPlace, draft: PolicyDraft | undefined): void {
  if (draft === undefined) drafts.delete(keyOf(place))
  else drafts.set(keyOf(place), draft)
}

function keyOf({ policy, table, tenant }: DraftPlace): string {
  return JSON.stringify([tenant, table, policy])
}
