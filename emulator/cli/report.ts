// Formats the command line's output for the terminal. Pure.
import type { ReadyLine } from '../contract/addresses.ts'
import { backgroundSentence } from '../core/background.ts'
import { EmulatorError } from '../core/errors.ts'
import type {
  BackgroundFailed,
  MessageSent,
  Observation,
  Observer,
  RequestFinished,
} from '../core/observation.ts'
import { printable, printableLines } from '../core/printable.ts'
import { epochMillis, toIso } from '../core/time.ts'

/** Describes a failure in one sentence, followed by a hint if the error has one. */
export function sentenceOf(error: unknown): string {
  // Messages can quote file names and servers' answers, which may contain control characters.
  return printableLines(wordsOf(error))
}

function wordsOf(error: unknown): string {
  if (error instanceof EmulatorError) return [error.message, error.hint].filter(Boolean).join(' ')
  return error instanceof Error ? `Unexpected failure: ${error.message}` : String(error)
}

const DEMO_TEMPLATE = 'proj_clinics'

/** Returns an example request. With the demo, it reads rows of a table. With any other template, it lists the tables. */
function firstRequest(template: string): string {
  const path = template === DEMO_TEMPLATE ? '/treatments?select=name,price&order=price' : '/'
  return `curl "$TENANTRY_DATA_URL${path}" -H "apikey: $TENANTRY_ANON_KEY" -H "Authorization: Bearer $TENANTRY_ANON_KEY" -H "Accept-Profile: $TENANTRY_SCHEMA"`
}

export interface Greeting {
  readonly ready: ReadyLine
  readonly startedInMillis: number
  /** Default: with Ctrl-C. */
  readonly howToStop?: string
  /** Whether a command finds the emulator without `--url`. */
  readonly isFoundHere: boolean
}

/** What `tenantry start` prints when it is ready. It fits on a screen; `tenantry env` prints the keys. */
export function greeting({
  howToStop = 'Press Ctrl-C to stop.',
  isFoundHere,
  ready,
  startedInMillis,
}: Greeting): string {
  const [group] = ready.groups.filter(({ tenants }) => tenants.length > 0)
  const env = `npx tenantry env${isFoundHere ? '' : ` --url ${ready.auth_url}`}`
  return [
    `Tenantry is ready (${startedInMillis} ms).`,
    '',
    ...addressLines(ready),
    '',
    ...ready.groups.map(groupLine),
    ...(group === undefined ? [] : ['']),
    ...(group === undefined
      ? []
      : [
          `Addresses and keys for your application (.env), and a first request:`,
          '',
          `  ${env} --out .env && set -a && . ./.env && set +a`,
          `  ${firstRequest(group.template_project_id)}`,
          '',
        ]),
    howToStop,
    '',
  ].join('\n')
}

function addressLines(ready: ReadyLine): string[] {
  return [
    `  auth and management  ${ready.auth_url}`,
    `  data (REST)          ${ready.data_url}`,
    `  storage              ${ready.storage_url}`,
    `  realtime             ${ready.realtime_url}`,
    `  Postgres             ${ready.postgres_url ?? 'not listening'}`,
    `  inspector            ${ready.inspector_url}`,
    `  data directory       ${ready.data_dir ?? 'memory (gone when stopped)'}`,
    `  dashboard account    ${ready.platform.email} / ${ready.platform.password}`,
  ]
}

const LISTED_TENANTS = 8

function groupLine({ name, template_project_id, tenants }: ReadyLine['groups'][number]): string {
  const slugs = tenants.map(({ slug }) => slug)
  const rest = slugs.length - LISTED_TENANTS
  const listed = slugs.slice(0, LISTED_TENANTS).join(', ')
  const shown = rest > 0 ? `${listed} and ${rest} more` : listed
  return `Group ${name}, template ${template_project_id}: ${shown === '' ? 'no tenants' : `tenants ${shown}`}`
}

/** How much the terminal log shows. */
export const LOG_LEVELS = ['none', 'errors', 'refusals', 'requests', 'json'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Returns an observer that writes one line for each observation of the level. */
export function logTo(terminal: NodeJS.WritableStream, level: LogLevel): Observer {
  return (observation) => {
    const line = logLine(observation, level)
    if (line !== undefined) terminal.write(`${line}\n`)
  }
}

/** Formats an observation as one log line. Returns `undefined` when the level excludes it. */
export function logLine(observation: Observation, level: LogLevel): string | undefined {
  if (level === 'none') return undefined
  if (level === 'json') return JSON.stringify(observation, errorAsText)
  switch (observation.kind) {
    case 'requestFinished':
      return isLogged(observation, level) ? lineOf(observation) : undefined
    case 'internalFailure':
      return `internal failure, trace ${observation.requestId}: ${stackOf(observation.error)}`
    case 'backgroundFailed':
      return backgroundLine(observation)
    case 'backgroundResumed':
      return `could ${observation.work} again, after ${observation.failures} failed attempts`
    case 'stateChanged': {
      const { change, name, engine, durationMillis } = observation
      const what = name === undefined ? 'the platform' : `snapshot ${name}`
      const way = engine === 'restarted' ? ', with a restart of the database engine' : ''
      return level === 'requests' || way !== ''
        ? `${what} ${change} in ${durationMillis} ms${way}`
        : undefined
    }
    case 'engineRestarted':
      return `database engine restarted in ${observation.durationMillis} ms: ${observation.reason}`
    case 'engineDown':
      return `database engine down: ${observation.reason}; next attempt to start it in ${observation.retryMillis / 1_000} s`
    case 'engineDegraded':
      return `database engine without ${observation.capability}: ${observation.consequence}`
    case 'projectChanged':
      return level === 'requests'
        ? `project ${observation.schemaName} ${observation.change}`
        : undefined
    case 'messageSent':
      return messageLine(observation)
    case 'realtimeSocketClosed':
    case 'realtimeChannelRefused':
    case 'realtimeFrameDropped':
      return level === 'requests' ? realtimeLine(observation) : undefined
    // Realtime reports a verdict for each change and subscriber, which is too frequent for a terminal.
    case 'changeJudged':
      return undefined
    default:
      return observation satisfies never
  }
}

/** Prints a stack only for errors of unknown cause. */
function backgroundLine(observation: BackgroundFailed): string {
  const sentence = backgroundSentence(observation)
  return observation.error instanceof EmulatorError
    ? sentence
    : `${sentence}\n${stackOf(observation.error)}`
}

/** The level `refusals` excludes refused requests of the inspector and of clients that closed the connection. */
function isLogged({ facts, service, status }: RequestFinished, level: LogLevel): boolean {
  if (level === 'requests' || status >= 500) return true
  const isOwn = service === 'inspector' || facts.isFromInspector === true
  return level === 'refusals' && status >= 400 && status !== CLIENT_CLOSED && !isOwn
}

/** nginx's status for a client that closed the connection. */
const CLIENT_CLOSED = 499

function lineOf({ facts, ...finished }: RequestFinished): string {
  const { errorCode, errorMessage } = finished
  return requestLine({
    ...finished,
    at: toIso(epochMillis(finished.receivedAt)),
    who: [facts.schemaName ?? facts.groupId, facts.role],
    refusal: errorCode === undefined ? undefined : `${errorCode}: ${errorMessage}`,
  })
}

/** Returns a line such as `email to ana@patients.test (proj_aurora, one_time_code): 123456`. */
function messageLine({ channel, recipient, schemaName, purpose, code, link }: MessageSent): string {
  const useful = [code, link].filter((text) => text !== undefined).join('  ')
  return printable(`${channel} to ${recipient} (${schemaName}, ${purpose}): ${useful}`)
}

/** Returns a line such as `realtime proj_aurora, channel realtime:room refused: …`. */
function realtimeLine(
  observation: Extract<Observation, { readonly kind: `realtime${string}` }>,
): string {
  const what = {
    realtimeSocketClosed: 'socket closed',
    realtimeChannelRefused: 'channel refused',
    realtimeFrameDropped: 'frame dropped',
  }[observation.kind]
  const topic = observation.kind === 'realtimeChannelRefused' ? ` ${observation.topic}` : ''
  return printable(`realtime ${observation.schemaName}, ${what}${topic}: ${observation.reason}`)
}

export interface RequestLine {
  /** ISO 8601. */
  readonly at: string
  readonly status: number
  /** Wall-clock milliseconds. */
  readonly durationMillis: number
  readonly method: string
  readonly target: string
  /** Tenant or group, and identity. */
  readonly who: readonly (string | null | undefined)[]
  /** Code of the refusal, or code and message. */
  readonly refusal: string | null | undefined
}

/** Returns a line such as `09:00:00.123  403  5 ms  POST /notes  proj_aurora authenticated  42501`. */
export function requestLine(request: RequestLine): string {
  const { at, durationMillis, method, refusal, status, target, who } = request
  const caller = who.filter(Boolean).join(' ')
  const line = `${at.slice(11, 23)}  ${status}  ${durationMillis} ms  ${method} ${target}  ${caller}`
  return printable(refusal ? `${line}  ${refusal}` : line).trimEnd()
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function errorAsText(_key: string, value: unknown): unknown {
  return value instanceof Error ? stackOf(value) : value
}

/** Returns `1 step` or `2 steps`. */
export function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`
}
