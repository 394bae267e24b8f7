// This file holds all texts about faults, so that you can review them together. Pure.
import type {
  ArmedFault,
  FaultEffect,
  FaultPreview,
  FaultScope,
  FaultService,
} from '../../../emulator/contract/faults.ts'
import { countOf } from '../../ui/form-values.ts'
import { formatDuration } from '../../ui/format.ts'

export const SERVICE_NAMES: Readonly<Record<FaultService, string>> = {
  control: 'Management',
  auth: 'Auth',
  data: 'Data (REST)',
  storage: 'Storage',
  realtime: 'Realtime',
}

export type EffectKind = FaultEffect['kind']

export const EFFECTS: Readonly<
  Record<EffectKind, { readonly name: string; readonly detail: string }>
> = {
  error: {
    name: 'Platform error',
    detail:
      'The platform answers with the documented error. The platform does not run the operation.',
  },
  latency: { name: 'Latency', detail: 'Delays the response.' },
  answer_lost: {
    name: 'Response lost after commit',
    detail: 'The platform commits the work, then closes the connection without a response.',
  },
  connection_dropped: {
    name: 'Connection dropped',
    detail: 'The platform closes the connection before it runs the operation.',
  },
  disk_full: { name: 'Storage disk full', detail: 'The storage service refuses every write.' },
  realtime_disconnect: {
    name: 'Realtime disconnect',
    detail: 'The platform closes open sockets, and refuses new sockets while the fault is armed.',
  },
  realtime_delay: { name: 'Realtime delay', detail: 'The realtime service delays every event.' },
  realtime_duplicate: {
    name: 'Realtime duplicate',
    detail: 'The realtime service sends every event twice.',
  },
}

export const EMPTY = {
  armed: {
    title: 'No faults armed',
    detail: 'Requests behave normally. Arm a fault to see how an application handles a failure.',
  },
  history: {
    title: 'No fault has fired',
    detail:
      'Each firing appears here with its request. Entries remain after you disarm the fault, until the emulator stops.',
  },
  catalogue: {
    title: 'No operation matches',
    detail: 'Search for part of an operation, a route, an error code or an error message.',
  },
} as const

export const PROBLEMS = {
  code: 'Choose a code.',
  ms: 'Enter whole milliseconds.',
  jitter: 'Enter a whole number of milliseconds, or leave the field empty.',
  count: 'Enter a whole number from 1, or leave the field empty.',
  probability: 'Enter a number from 0 to 1.',
} as const

export const NOTHING = '–'

/** `Matches 14 operations, none of the last 20 requests.` */
export function previewText({ operations, request_ids, requests_read }: FaultPreview): string {
  const matches = `Matches ${countOf(operations.length, 'operation')}`
  if (requests_read === 0) return `${matches}. No requests were sent yet.`
  const count = request_ids.length === 0 ? 'none' : String(request_ids.length)
  const requests = requests_read === 1 ? 'the last request' : `the last ${requests_read} requests`
  return `${matches}, ${count} of ${requests}.`
}

/** Describes a fault's effect: `slug_taken`, `+2 s ± 500 ms`. */
export function effectText(effect: FaultEffect): string {
  switch (effect.kind) {
    case 'error':
      return effect.code
    case 'latency': {
      const jitter = effect.jitter_ms ?? 0
      return `+${formatDuration(effect.ms)}${jitter === 0 ? '' : ` ± ${formatDuration(jitter)}`}`
    }
    case 'realtime_delay':
      return `events +${formatDuration(effect.ms)}`
    case 'answer_lost':
    case 'connection_dropped':
    case 'disk_full':
    case 'realtime_disconnect':
    case 'realtime_duplicate':
      return EFFECTS[effect.kind].name.toLowerCase()
  }
}

/** Names the operations that a fault affects: `tenant.provision`, `all of storage`, `every request`. */
export function targetText({ service, operation }: FaultScope): string {
  return operation ?? (service === undefined ? 'every request' : `all of ${service}`)
}

/** Names the callers that a fault affects: `aurora, ana@patients.test` or `all callers`. */
export function callerText({ project, identity }: FaultScope): string {
  const parts = [project, identity?.role, identity?.subject].filter((part) => part !== undefined)
  return parts.length === 0 ? 'all callers' : parts.join(', ')
}

/** Describes how often a fault fired: `3 of 5`, or `3` without a limit. */
export function firedText({ fired, count }: ArmedFault): string {
  return count === undefined ? String(fired) : `${fired} of ${count}`
}

/** Formats the probability that a fault fires: `12.5 %`. */
export function probabilityText({ probability = 1 }: Pick<ArmedFault, 'probability'>): string {
  return `${Math.round(probability * 1_000) / 10} %`
}
