// Explains refused requests (explain-refusals.ts) when the journal records them, and before their projects go offline or get new
// keys.

import type { Clock } from '../../../core/clock.ts'
import type { Observer } from '../../../core/observation.ts'
import type { EngineRehearsals } from '../../../database/rehearsal.ts'
import type { KeyAddresses } from '../../../platform/credentials/project-key.ts'
import type { Lifecycle } from '../../../platform/projects/lifecycle.ts'
import type { IdentityDeps } from '../../api-kit/identities.ts'
import type { Journal } from '../../journal/journal.ts'
import { entryOf } from '../../journal/journal-rows.ts'
import type { Recordings } from '../../journal/recording/recorder.ts'
import type { ExplainDeps } from '../rows/explain-rows.ts'
import { createRefusalExplainer, type RefusalExplainer } from './explain-refusals.ts'
import type { ChainDeps } from './recorded-request.ts'
import { createRowQuestions } from './row-questions.ts'

export interface WatchDeps {
  readonly journal: Pick<Journal, 'listen' | 'keepExplanation'>
  readonly lifecycle: Pick<Lifecycle, 'listen'>
  readonly recordings: Pick<Recordings, 'findRecording'>
  readonly rehearsals: EngineRehearsals
  readonly why: ChainDeps
  readonly explain: ExplainDeps
  readonly identities: IdentityDeps
  /** @param origin where the request was sent, if it is known */
  readonly addressesAt: (origin: string | undefined) => KeyAddresses
  readonly wallClock: Clock
  readonly observe: Observer
}

/** Wall-clock milliseconds from the first to the last evaluation of one explanation. Requests of applications wait meanwhile. */
const EVALUATION_MILLIS = 1_000
/** Number of rows that an explanation judges. */
const MAX_COUNTED = 100

/** Explains refused requests of applications as they happen. */
export function watchRefusals(deps: WatchDeps): RefusalExplainer {
  const { addressesAt, journal, lifecycle, observe, recordings, wallClock } = deps
  const refusals = createRefusalExplainer({
    explain: async (entry) => {
      const { accessChain } = await import('./chain.ts')
      const url = recordings.findRecording(entry.request_id)?.url
      const limit = startingLimit(wallClock)
      const chain = await accessChain(boundedDeps(deps, limit.left), entry, {
        addresses: addressesAt(url && new URL(url).origin),
        asOf: 'refusal',
      })
      return limit.isReached() ? undefined : chain
    },
    keep: (entry, explanation) => journal.keepExplanation(entry, explanation),
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

// The time limit starts at the first evaluation, so that loading the SQL parser does not count.
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
  { explain, identities, rehearsals, why }: WatchDeps,
  left: () => number,
): ChainDeps {
  const bounded = { ...explain, maxCounted: MAX_COUNTED, timeLeft: left }
  return { ...why, rows: createRowQuestions({ explain: bounded, rehearsals }, identities) }
}
