// Describes the health of each service in one sentence. Pure.
import type { FollowedFolder, ServiceHealth } from '../../../contract/overview.ts'
import type { EngineStats } from '../../../database/engine.ts'

export interface RealtimeLoad {
  readonly sockets: number
  readonly channels: number
}

export interface HealthFacts {
  readonly stats: EngineStats
  /** Message of the error when the database did not answer the last query. */
  readonly problem: string | undefined
  readonly answeredInMillis: number
  /** Number of requests in the journal by service. `failures` counts requests that failed because of the emulator itself. */
  readonly counts: Readonly<Record<string, number>>
  readonly failures: Readonly<Record<string, number>>
  readonly realtime: RealtimeLoad
  /** The folder that `tenantry dev` follows. */
  readonly watch: FollowedFolder | undefined
}

export function serviceHealth(facts: HealthFacts): readonly ServiceHealth[] {
  const { counts, failures, realtime, watch } = facts
  const served = (service: ServiceHealth['service'], name: string): ServiceHealth => {
    const requests = counts[name] ?? 0
    const failed = failures[name] ?? 0
    return {
      service,
      state: failed > 0 ? 'degraded' : 'well',
      sentence:
        failed > 0
          ? `${plural(failed, 'request')} of ${requests} failed with an internal error.`
          : `${plural(requests, 'request')} answered.`,
      facts: { requests: String(requests), errors: String(failed) },
    }
  }
  const sockets = served('realtime', 'realtime')
  return [
    databaseHealth(facts),
    served('rest', 'data'),
    served('auth', 'auth'),
    served('storage', 'storage'),
    {
      ...sockets,
      sentence:
        sockets.state === 'well'
          ? `${plural(realtime.sockets, 'socket')} open, ${plural(realtime.channels, 'channel')} joined.`
          : sockets.sentence,
      facts: {
        ...sockets.facts,
        sockets: String(realtime.sockets),
        channels: String(realtime.channels),
      },
    },
    served('management', 'control'),
    ...(watch === undefined ? [] : [folderHealth(watch)]),
  ]
}

function folderHealth({ folder, problem }: FollowedFolder): ServiceHealth {
  return {
    service: 'folder',
    state: problem === null ? 'well' : 'degraded',
    sentence: problem ?? `${folder} is watched.`,
    facts: {},
  }
}

function databaseHealth({ answeredInMillis, counts, problem, stats }: HealthFacts): ServiceHealth {
  const facts = {
    queued: String(stats.queued),
    restarts: String(stats.restarts),
    percent_waiting: String(Math.round(100 * stats.waitingShare)),
    answered_in_ms: String(answeredInMillis),
    ...(stats.heapBytes === undefined ? {} : { heap_bytes: String(stats.heapBytes) }),
  }
  const told = (state: ServiceHealth['state'], sentence: string): ServiceHealth => ({
    service: 'database',
    state,
    sentence,
    facts,
  })
  if (stats.down !== undefined) return told('down', `Down: ${stats.down}`)
  if (problem !== undefined) return told('down', `The database does not answer: ${problem}`)
  if (stats.degraded.length > 0)
    return told('degraded', `${withoutOf(stats)} ${stats.degraded.join(', ')}.`)
  const restarts = stats.restarts === 0 ? '' : `, started again ${plural(stats.restarts, 'time')}`
  const clients = counts['postgres'] ?? 0
  const direct = clients === 0 ? '' : `, ${plural(clients, 'request')} of Postgres clients`
  return told('well', `Answered in ${answeredInMillis} ms${restarts}${direct}.`)
}

// Only the embedded engine reports `heapBytes`. The embedded engine replaces what is missing with a slower path; a server cannot.
function withoutOf({ heapBytes }: EngineStats): string {
  return heapBytes === undefined ? 'The server lacks' : 'A slower, safe path is used for'
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
