// Whether an injected fault is the reason for a request's result.
import type { ArmedFault, FaultEffect } from '../../contract/faults.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import { broken, type Finding, holds } from './links.ts'
import type { WhyDeps } from './request-case.ts'

/** `undefined` for a request that met none. */
export function faultFinding(
  { faults }: Pick<WhyDeps, 'faults'>,
  entry: JournalEntry,
): Finding | undefined {
  if (entry.fault === null) return undefined
  const fault = faults.find(entry.fault)
  const facts = { fault: entry.fault, ...(fault === undefined ? {} : factsOf(fault)) }
  const sentence = `${SENTENCES[fault?.effect.kind ?? 'unknown']} It was ordered as fault ${entry.fault}.`
  return decides(fault, entry)
    ? broken('failed on order', `${sentence} Disarm it to see what happens without.`, facts)
    : holds('met a fault', sentence, facts)
}

const SENTENCES: Readonly<Record<FaultEffect['kind'] | 'unknown', string>> = {
  error: 'An armed fault answered in the service’s place.',
  latency: 'An armed fault made it wait before anything was done.',
  answer_lost: 'The work was done and committed, and an armed fault kept the answer back.',
  connection_dropped: 'An armed fault ended the connection before any work was done.',
  disk_full: 'To this request the disk was full, on order of an armed fault.',
  realtime_disconnect: 'An armed fault closed the socket as soon as it was open.',
  realtime_delay: 'An armed fault delays what is delivered.',
  realtime_duplicate: 'An armed fault repeats what is delivered.',
  unknown: 'It met a fault that has been forgotten since.',
}

// Whoever is refused for a reason of its own never came to what the fault had in store.
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
  return {
    effect: effect.kind,
    ...('code' in effect ? { code: effect.code } : {}),
    ...(scope.operation === undefined ? {} : { operation: scope.operation }),
  }
}
