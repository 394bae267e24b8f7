// Finds the bindings that match each change. Postgres decides all comparisons that texts cannot decide, in one query.

import type { RowChange } from '../../../../database/changes/row-change.ts'
import type { Engine } from '../../../../database/engine.ts'
import type { SharedBinding, Subscriber } from '../subscribe/subscriber.ts'
import { askConditions, type OpenQuestion } from './ask-postgres.ts'

/** A change with the subscribers of its table. */
export interface MatchedChange {
  readonly change: RowChange
  /** Bindings that match the change. */
  readonly wantedBy: ReadonlySet<SharedBinding>
  /** All subscribers that were active at the change, including those without a matching binding. */
  readonly subscribers: readonly Subscriber[]
}

/** Matches changes to bindings. The bindings must already be bound to the tables. */
export async function matchChanges(
  engine: Engine,
  changes: readonly RowChange[],
  bindingsOf: (change: RowChange) => readonly SharedBinding[],
): Promise<readonly MatchedChange[]> {
  const open: {
    readonly question: OpenQuestion
    readonly wantedBy: Set<SharedBinding>
    readonly binding: SharedBinding
  }[] = []
  const matched = changes.map((change) => {
    const bindings = bindingsOf(change)
    const wantedBy = new Set<SharedBinding>()
    for (const binding of bindings) {
      const match = binding.match(change)
      if (match === false) continue
      wantedBy.add(binding)
      if (match === true) continue
      for (const condition of match.undecided)
        open.push({ question: { change, role: binding.role, condition }, wantedBy, binding })
    }
    return { change, wantedBy, subscribers: subscribersOf(bindings, change) }
  })
  if (open.length === 0) return matched
  const answers = await askConditions(
    engine,
    open.map(({ question }) => question),
  )
  for (const [index, { wantedBy, binding }] of open.entries())
    if (answers[index] !== true) wantedBy.delete(binding)
  return matched
}

function subscribersOf(
  bindings: readonly SharedBinding[],
  change: RowChange,
): readonly Subscriber[] {
  const subscribers = new Set<Subscriber>()
  for (const binding of bindings)
    for (const subscriber of binding.subscribers)
      if (subscriber.owns(change)) subscribers.add(subscriber)
  return [...subscribers]
}
