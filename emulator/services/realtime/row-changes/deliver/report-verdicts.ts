// Reports to the inspector whether each subscriber got a change (docs/wire/realtime.md#changes).
import { type JsonObject, type JsonValue, parseJson } from '../../../../core/json.ts'
import type { ChangeJudged, SubscriberVerdict } from '../../../../core/observation.ts'
import type { ChangedRow, RowChange } from '../../../../database/changes/row-change.ts'
import type { Verdict } from '../judge/verdict.ts'
import type { MatchedChange } from '../match/match-changes.ts'
import type { Subscriber } from '../subscribe/subscriber.ts'

/** What happened to a change for one subscriber. */
export type Outcome = Verdict | { readonly kind: 'filtered' | 'tokenExpired' | 'rateLimited' }

/** Whether the subscriber gets a frame, which contains the row or the reason for a refusal. */
export function isTold({ kind }: Outcome): boolean {
  return kind === 'visible' || kind === 'refused'
}

/**
 * Creates the observation for the inspector. Its functions `row` and `verdicts` compute their values
 * when the inspector calls them.
 * @param latencyMillis wall-clock milliseconds from the commit until the frames were sent
 */
export function changeJudged(
  { change, subscribers }: MatchedChange,
  outcomeFor: (subscriber: Subscriber) => Outcome,
  latencyMillis: number,
): ChangeJudged {
  const { table, kind, number, committedAt, requestId, sizeBytes } = change
  return {
    kind: 'changeJudged',
    schemaName: table.schemaName,
    table: table.name,
    change: kind,
    number,
    committedAt,
    ...(requestId === undefined ? {} : { requestId }),
    sizeBytes,
    row: () => shownRow(change),
    oldRow: () => cellsOf(change, change.wholeOldRow()),
    verdicts: () =>
      subscribers.map((subscriber) => {
        const verdict = toVerdict(subscriber, outcomeFor(subscriber))
        return verdict.verdict === 'delivered' ? { ...verdict, latencyMillis } : verdict
      }),
  }
}

/** Maximum size of a row in the report, in bytes. Larger rows are left out, to limit the inspector's memory. */
const MAX_SHOWN_BYTES = 64 << 10

function shownRow(change: RowChange): JsonObject | undefined {
  const { kind, oldRow, row, table } = change
  const cells = cellsOf(change, row ?? oldRow)
  if (cells === undefined || kind !== 'DELETE') return cells
  const keys = table.columns.filter(({ isKey }) => isKey).map(({ name }) => name)
  return Object.fromEntries(keys.flatMap((name) => (name in cells ? [[name, cells[name]]] : [])))
}

// Shows every column, because the inspector is for the developer. Column privileges of roles don't apply.
function cellsOf(
  { sizeBytes, table }: RowChange,
  shown: ChangedRow | undefined,
): JsonObject | undefined {
  if (shown === undefined || sizeBytes > MAX_SHOWN_BYTES) return undefined
  const cells = table.columns.flatMap(({ name }, index): [string, JsonValue][] =>
    shown.texts[index] === undefined ? [] : [[name, parseJson(shown.jsonOf(index)) ?? null]],
  )
  return Object.fromEntries(cells)
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
