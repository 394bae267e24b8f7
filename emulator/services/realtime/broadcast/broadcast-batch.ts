// Decodes the body of POST …/api/broadcast. The decoder reports errors per field, as upstream's validator does
// (docs/wire/realtime.md#broadcast). Pure.
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import { RealtimeError } from '../errors.ts'

export interface HttpMessage {
  /** The topic without `realtime:`. */
  readonly topic: string
  readonly event: string
  readonly payload: JsonObject
  readonly isPrivate: boolean
}

type Problems = Readonly<Record<string, readonly string[]>>

/**
 * @param payloadBytes the maximum size of each payload in bytes
 * @throws {RealtimeError} `invalid_messages`
 */
export function decodeMessages(
  body: JsonValue | undefined,
  payloadBytes: number,
): readonly HttpMessage[] {
  const list = isJsonObject(body) ? body['messages'] : undefined
  if (list === undefined || list === null || (Array.isArray(list) && list.length === 0))
    throw invalid(["can't be blank"])
  if (!Array.isArray(list)) throw invalid(['is invalid'])
  const problems = list.map((entry) => problemsOf(entry, payloadBytes))
  if (problems.some((each) => Object.keys(each).length > 0)) throw invalid(problems)
  return list.filter(isJsonObject).map((entry) => ({
    topic: String(entry['topic']),
    event: String(entry['event']),
    payload: isJsonObject(entry['payload']) ? entry['payload'] : {},
    isPrivate: isTrue(entry['private']),
  }))
}

function invalid(messages: readonly Problems[] | readonly string[]): RealtimeError {
  const errors: JsonObject = { messages }
  return new RealtimeError('invalid_messages', `Not sent: ${JSON.stringify(errors)}`, { errors })
}

function problemsOf(entry: JsonValue, payloadBytes: number): Problems {
  const message = isJsonObject(entry) ? entry : {}
  const problems: Record<string, readonly string[]> = {}
  for (const name of ['topic', 'event']) {
    const value = message[name]
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
      problems[name] = ["can't be blank"]
    else if (typeof value !== 'string') problems[name] = ['is invalid']
  }
  const payload = message['payload']
  if (payload === undefined || payload === null) problems['payload'] = ["can't be blank"]
  else if (!isJsonObject(payload)) problems['payload'] = ['is invalid']
  else if (Buffer.byteLength(JSON.stringify(payload)) > payloadBytes)
    problems['payload'] = ['Payload size exceeds tenant limit']
  const isPrivate = message['private']
  if (!FLAGS.has(isPrivate)) problems['private'] = ['is invalid']
  return problems
}

const FLAGS = new Set<JsonValue | undefined>([
  undefined,
  null,
  true,
  false,
  'true',
  'false',
  '1',
  '0',
])

function isTrue(value: JsonValue | undefined): boolean {
  return value === true || value === 'true' || value === '1'
}
