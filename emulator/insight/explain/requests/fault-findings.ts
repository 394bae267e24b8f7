// Checks whether an injected fault caused the result of a request.
import type { ArmedFault, FaultEffect } from '../../../contract/faults.ts'
import type { JournalEntry } from '../../../contract/journal.ts'
import { defined } from '../../../core/defined.ts'
import { broken, type ChainDeps, type Finding, holds } from './recorded-request.ts'

/** Returns `undefined` if no fault applied to the request. */
export function faultFinding(
  { faults }: Pick<ChainDeps, 'faults'>,
  entry: JournalEntry,
): Finding | undefined {
  if (entry.fault === null) return undefined
  const fault = faults.find(entry.fault)
  const facts = { fault: entry.fault, ...(fault && factsOf(fault)) }
  const sentence = `${SENTENCES[fault?.effect.kind ?? 'unknown']} The fault’s id is ${entry.fault}.`
  return decides(fault, entry)
    ? broken(
        'injected fault',
        `${sentence} Disarm the fault to see the result without the fault.`,
        facts,
      )
    : holds('injected fault', sentence, facts)
}

const SENTENCES: Readonly<Record<FaultEffect['kind'] | 'unknown', string>> = {
  error: 'An armed fault answered instead of the service.',
  latency: 'An armed fault delayed the request before any work was done.',
  answer_lost: 'The work was done and committed, but an armed fault withheld the answer.',
  connection_dropped: 'An armed fault closed the connection before any work was done.',
  disk_full: 'An armed fault made the disk appear full for this request.',
  realtime_disconnect: 'An armed fault closed the socket right after it was opened.',
  realtime_delay: 'An armed fault delays the delivered events.',
  realtime_duplicate: 'An armed fault repeats the delivered events.',
  unknown: 'The fault no longer exists.',
}

// Returns whether the fault's effect caused the result. A request that was refused for another reason never reached the
// effect.
function decides(fault: ArmedFault | undefined, entry: JournalEntry): boolean {
  const { effect } = fault ?? {}
  switch (effect?.kind) {
    case 'latency':
    case 'realtime_delay':
    case 'realtime_duplicate':
      return false
    case 'disk_full':
      return entry.status >= 500
    case 'error':
      return entry.service !== 'control' || entry.error_code === effect.code
    case undefined:
      return entry.status >= 400
    case 'answer_lost':
    case 'connection_dropped':
    case 'realtime_disconnect':
      return true
  }
}

function factsOf({ effect, scope }: ArmedFault): Readonly<Record<string, string>> {
  const code = 'code' in effect ? effect.code : undefined
  return defined({ effect: effect.kind, code, operation: scope.operation })
}
