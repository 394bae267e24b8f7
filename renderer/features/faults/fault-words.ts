// Faults in words. Pure.
import type { ArmedFault, FaultEffect, FaultScope } from '../../../emulator/contract/faults.ts'
import { formatDuration } from '../../ui/format.ts'

export const SERVICES = ['control', 'auth', 'data', 'storage', 'realtime'] as const

export const SERVICE_NAMES = {
  control: 'Management',
  auth: 'Sign-in',
  data: 'Data',
  storage: 'Storage',
  realtime: 'Realtime',
} as const satisfies Record<(typeof SERVICES)[number], string>

export const EFFECT_NAMES = {
  error: 'Error of the platform',
  latency: 'Latency',
  answer_lost: 'Answer lost after commit',
  connection_dropped: 'Connection dropped',
  disk_full: 'Storage disk full',
  realtime_disconnect: 'Realtime disconnect',
  realtime_delay: 'Realtime delay',
  realtime_duplicate: 'Realtime duplicate',
} as const satisfies Record<FaultEffect['kind'], string>

export const EFFECT_SENTENCES = {
  error: 'The platform’s own error with its documented body; nothing else is done.',
  latency: 'The answer comes later.',
  answer_lost: 'The work is done and committed, and the connection ends without an answer.',
  connection_dropped: 'The connection ends before any work is done.',
  disk_full: 'No byte more can be written to storage.',
  realtime_disconnect: 'Open sockets are closed, and new ones too while it holds.',
  realtime_delay: 'Every realtime event arrives later.',
  realtime_duplicate: 'Every realtime event arrives twice.',
} as const satisfies Record<FaultEffect['kind'], string>

export const EFFECTS: readonly FaultEffect['kind'][] = [
  'error',
  'latency',
  'answer_lost',
  'connection_dropped',
  'disk_full',
  'realtime_disconnect',
  'realtime_delay',
  'realtime_duplicate',
]

/** `error slug_taken`, `latency 2 s ± 500 ms`. */
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
      return EFFECT_NAMES[effect.kind].toLowerCase()
  }
}

/** What it meets: `tenant.provision`, `all of storage`, `every request`. */
export function targetText({ service, operation }: FaultScope): string {
  return operation ?? (service === undefined ? 'every request' : `all of ${service}`)
}

/** For whom: `aurora, ana@patients.test`; `anybody`. */
export function whoText({ project, identity }: FaultScope): string {
  const parts = [project, identity?.role, identity?.subject].filter((part) => part !== undefined)
  return parts.length === 0 ? 'anybody' : parts.join(', ')
}

/** `3 of 5`, `3`. */
export function firedText({ fired, count }: ArmedFault): string {
  return count === undefined ? String(fired) : `${fired} of ${count}`
}
