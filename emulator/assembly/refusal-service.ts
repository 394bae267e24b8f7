// Connects the explanation of refused requests (explain/requests/explain-refusals.ts) to the journal, and to the projects that
// are about to leave.
import type { Clock } from '../core/clock.ts'
import {
  createRefusalExplainer,
  type RefusalExplainer,
} from '../insight/explain/requests/explain-refusals.ts'
import type { ChainDeps } from '../insight/explain/requests/recorded-request.ts'
import { createRowQuestions } from '../insight/explain/requests/row-questions.ts'
import type { ExplainDeps } from '../insight/explain/rows/explain-rows.ts'
import type { TokenRouteDeps } from '../insight/explain/tokens/routes.ts'
import { entryOf } from '../insight/journal/journal-rows.ts'
import type { Recordings } from '../insight/journal/recording/recorder.ts'
import { addressesOf } from '../server/hosts.ts'
import type { Foundation } from './open-foundation.ts'

export interface RefusalParts {
  readonly recordings: Recordings
  readonly why: ChainDeps
  readonly explain: ExplainDeps
  readonly identities: TokenRouteDeps['identities']
}

/** Wall-clock milliseconds from the first to the last evaluation of one explanation. Requests of applications wait for them. */
const EVALUATION_MILLIS = 1_000
/** Number of rows that an explanation judges. */
const MAX_COUNTED = 100
/** For requests without a recording. */
const NO_ORIGIN = 'http://127.0.0.1'

/** Explains the refusals of applications as they happen. */
export function explainRefusals(foundation: Foundation, parts: RefusalParts): RefusalExplainer {
  const { config, journal, lifecycle, observe, wallClock } = foundation
  const { recordings } = parts
  const refusals = createRefusalExplainer({
    explain: async (entry) => {
      const { accessChain } = await import('../insight/explain/requests/chain.ts')
      const url = recordings.findRecording(entry.request_id)?.url
      const origin = config.publicUrl ?? (url === undefined ? NO_ORIGIN : new URL(url).origin)
      const limit = startingLimit(wallClock)
      const chain = await accessChain(boundedDeps(foundation, parts, limit.left), entry, {
        addresses: addressesOf(origin),
        asOf: 'refusal',
      })
      return limit.isReached() ? undefined : chain
    },
    keep: (explanation) => recordings.keepExplanation(explanation),
    wallClock,
    report: observe,
  })
  journal.listen((request) => {
    const { facts, service, status } = request.finished
    if (status >= 400 && service !== 'inspector' && facts.isFromInspector !== true)
      refusals.note(entryOf(request))
  })
  lifecycle.listen({
    leaving: ({ schemaName }) => refusals.settle({ schemaName }),
    stateReplaced: () => refusals.forget(),
  })
  return refusals
}

// The time starts with the first evaluation, because the SQL parser is loaded before it.
function startingLimit(wallClock: Clock) {
  let end: number | undefined
  return {
    left: (): number => {
      end ??= wallClock.now() + EVALUATION_MILLIS
      return end - wallClock.now()
    },
    isReached: (): boolean => end !== undefined && wallClock.now() >= end,
  }
}

function boundedDeps(
  { rehearsals }: Foundation,
  { why, explain, identities }: RefusalParts,
  left: () => number,
): ChainDeps {
  const bounded = { ...explain, maxCounted: MAX_COUNTED, timeLeft: left }
  return { ...why, rows: createRowQuestions({ explain: bounded, rehearsals }, identities) }
}
