// What became of a change for each subscriber, as the inspector is told (contract.md §7: the emulator "must say so").
import type { ChangeJudged, SubscriberVerdict } from '../core/observation.ts'
import type { Verdict } from './change-judge.ts'
import type { Subscriber } from './change-subscriber.ts'
import type { MatchedChange } from './match-changes.ts'

/** What becomes of the change for a subscriber. */
export type Outcome = Verdict | { readonly kind: 'filtered' | 'tokenExpired' | 'rateLimited' }

/** Whether anything is sent: the row, or why it is not shown. */
export function isTold({ kind }: Outcome): boolean {
  return kind === 'visible' || kind === 'refused'
}

/** The observation; its list is made when somebody asks for it. */
export function changeJudged(
  { change, subscribers }: MatchedChange,
  outcomeFor: (subscriber: Subscriber) => Outcome,
): ChangeJudged {
  const { table, kind, number, committedAt } = change
  return {
    kind: 'changeJudged',
    schemaName: table.schemaName,
    table: table.name,
    change: kind,
    number,
    committedAt,
    verdicts: () => subscribers.map((subscriber) => toVerdict(subscriber, outcomeFor(subscriber))),
  }
}

function toVerdict({ channel, shared }: Subscriber, outcome: Outcome): SubscriberVerdict {
  const { role, claims } = shared.identity
  const { sub } = claims
  return {
    topic: channel.topic,
    role,
    subject: typeof sub === 'string' ? sub : '',
    verdict: outcome.kind === 'visible' ? 'delivered' : outcome.kind,
    policies: 'policies' in outcome ? outcome.policies : [],
    ...reasonOf(outcome),
  }
}

function reasonOf(outcome: Outcome): { readonly reason?: string } {
  if (outcome.kind === 'notEvaluable') return { reason: outcome.reason }
  return outcome.kind === 'refused' ? { reason: outcome.error } : {}
}
