// Makes the request of the replay from a recorded request. Replaces the addresses, ids, secrets and instants of the recording by
// those of the replay. Pure.
import { isJsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { idDomain } from '../compare/comparing.ts'
import type { Correspondence } from '../compare/correspondence.ts'
import type { HarEntry, HarPostData } from '../har/har.ts'

export interface ReplayedRequest {
  readonly method: string
  /** Path below the base address of the plane. */
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
}

export interface Translating {
  readonly pairs: Correspondence
  /** Replaces the addresses of the recorded platform in a text. */
  readonly moved: (text: string) => string
  /** Prefix for the domains of ids in this route. */
  readonly route: string
}

/** Headers that the replay does not send again, because they belong to one connection, or because the sender computes them. */
const NOT_SENT_AGAIN = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-version',
  'te',
  'transfer-encoding',
  'upgrade',
])
/** Returns the path of a recorded request below the base address of its plane. */
export function pathOf({ _base, request: { url } }: HarEntry): string {
  return url.replace(/^ws/, 'http').slice(_base.length)
}

export function translateRequest(entry: HarEntry, translating: Translating): ReplayedRequest {
  const { pairs, moved } = translating
  const { headers, method, postData } = entry.request
  const text = (value: string): string => pairs.translate(moved(value))
  return {
    method,
    path: text(withIds(pathOf(entry), translating)),
    headers: headers
      .filter(({ name }) => !NOT_SENT_AGAIN.has(name.toLowerCase()))
      .map(({ name, value }) => [name, text(value)]),
    body: postData === undefined ? undefined : bodyOf(postData, translating, text),
  }
}

// Extends a body that was cut off to its recorded size, so that the sizes still agree.
function bodyOf(
  { _encoding, _kept, _size, text: recorded = '' }: HarPostData,
  translating: Translating,
  text: (value: string) => string,
): Buffer {
  if (_encoding === 'base64') return filled(Buffer.from(recorded, 'base64'), _size)
  if (_kept !== undefined) return filled(Buffer.from(text(recorded)), _size)
  return Buffer.from(text(withIdMembers(recorded, translating)))
}

function filled(bytes: Buffer, size: number): Buffer {
  return bytes.length >= size ? bytes : Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
}

// Replaces numeric ids in filters, such as `?order_id=eq.7` and `?id=in.(1,2)`.
function withIds(path: string, { pairs, route }: Translating): string {
  return path.replace(
    /(?<=[?&])(\w+)=((?:not\.)?(?:eq|neq|gt|gte|lt|lte|in)\.)([(\d,)%C28]+)(?=&|$)/g,
    (_all, member: string, operator: string, values: string) =>
      `${member}=${operator}${values.replace(/\d+/g, (id) => idOf(pairs, route, member, id))}`,
  )
}

function withIdMembers(body: string, { pairs, route }: Translating): string {
  const value = parseJson(body)
  if (value === undefined) return body
  let isChanged = false
  const visit = (each: JsonValue, member: string): JsonValue => {
    if (Array.isArray(each)) return each.map((element) => visit(element, member))
    if (isJsonObject(each))
      return Object.fromEntries(
        Object.entries(each).map(([name, inner]) => [name, visit(inner ?? null, name)]),
      )
    if (typeof each !== 'number') return each
    const id = Number(idOf(pairs, route, member, String(each)))
    if (id !== each) isChanged = true
    return id
  }
  const visited = visit(value, '')
  return isChanged ? JSON.stringify(visited) : body
}

// An id of another table is looked up among that table's own ids, and among earlier references to the table.
function idOf(pairs: Correspondence, route: string, member: string, id: string): string {
  const table = /^(\w+)_id$/.exec(member)?.[1]
  return (
    pairs.replayedOf(idDomain(route, member), id) ??
    (table && pairs.replayedOf(idDomain(`/${table}s`, 'id'), id)) ??
    (table && pairs.replayedOf(idDomain(`/${table}`, 'id'), id)) ??
    id
  )
}
