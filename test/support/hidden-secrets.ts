// Puts secrets into all kinds of places of requests and answers, and searches for them in recordings. Used by tests that
// recordings contain no secrets.
import * as zlib from 'node:zlib'

const { brotliCompressSync, deflateSync, gunzipSync, gzipSync } = zlib

/** Returns a random number from 0 to `below` - 1. */
export type Dice = (below: number) => number

/** A body with its headers. */
export interface PlacedBody {
  readonly type: string
  readonly bytes: Buffer
  readonly coding?: string
}

/** Headers, target and body of a message, one of which contains the secret. */
export interface Placed {
  readonly place: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: PlacedBody
  /** Headers and body of the answer. */
  readonly answer?: {
    readonly headers?: readonly (readonly [name: string, value: string])[]
    readonly body?: PlacedBody
  }
  readonly frame?: string | Buffer
}

/** Returns random numbers of a seed (mulberry32). */
export function diceOf(seed: number): Dice {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

function pick<Value>(dice: Dice, values: readonly Value[]): Value {
  const value = values[dice(values.length)]
  if (value === undefined) throw new Error('there is nothing to pick')
  return value
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns a random text that occurs nowhere else. All secrets of one case contain this text. */
export function coreOf(dice: Dice): string {
  return Array.from({ length: 18 }, () => LETTERS[dice(LETTERS.length)]).join('')
}

const MEMBERS = [
  'password',
  'new_password',
  'currentPassword',
  'access_token',
  'refreshToken',
  'client_secret',
  'api_key',
  'apiKey',
  'secret_access_key',
  'mfa_token',
  'service_role_key',
  'session_token',
  'otp',
]
const SECRET_HEADERS = [
  'authorization',
  'apikey',
  'x-api-key',
  'x-signature',
  'x-auth-token',
  'x-api-token',
  'x-refresh-token',
  'x-client-secret',
  'x-hub-signature-256',
  'cookie',
  'proxy-authorization',
]
const SECRET_ANSWER_HEADERS = ['set-cookie', 'x-auth-token', 'x-session-secret', 'x-api-key']
const TARGETS = [
  '/notes?select=id',
  '/rpc/save',
  '/auth/v1/signin',
  '/platform/v1/projects/a/db/exec',
  '/groups/v1/grp_1/tenants',
  '/st/v1/token',
  '/storage/v1/object/a/b.txt',
  '/storage/v1/upload/resumable',
  '/realtime/v1/api/broadcast',
]

/** Puts the secret into a random place. @param core a part of the secret that the search finds */
export function placeSecret(dice: Dice, core: string): Placed {
  const target = pick(dice, TARGETS)
  const inMessage = (body: PlacedBody, place: string, to: string): Placed =>
    dice(2) === 0
      ? { place: `request ${place}`, target: to, headers: [], body }
      : { place: `answer ${place}`, target: to, headers: [], answer: { body } }
  switch (dice(6)) {
    case 0:
      return inHeader(dice, core, target)
    case 1:
      return inQuery(dice, core, target)
    case 2:
      return inFrame(dice, core)
    default: {
      const made = pick(dice, BODIES)(dice, core)
      const body = encoded(dice, made.body)
      // Sends files of unknown types to /rpc/save, because storage requests count them as content
      // (docs/guide/compare.md#what-the-file-contains).
      const plane = made.place.startsWith('unknown') ? '/rpc/save' : target
      return inMessage(body, `${made.place} ${body.coding ?? ''}`, plane)
    }
  }
}

// Usually adds text around the core that must be escaped in JSON, forms, URLs and SQL.
function anyText(dice: Dice, core: string): string {
  return pick(dice, [
    core,
    `${core} with "quotes" and \\ bars`,
    `pässwörd ${core} & more=less%41`,
    `it's ${core};`,
    `{"looks":"like JSON", ${core}`,
    `${core.slice(0, 9)}\n${core}`,
  ])
}

function inHeader(dice: Dice, core: string, target: string): Placed {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const member = pick(dice, MEMBERS)
  const [name, value]: readonly [string, string] = pick<() => readonly [string, string]>(dice, [
    () => [pick(dice, SECRET_HEADERS), core],
    () => ['authorization', `${pick(dice, ['Bearer', 'bearer', 'Token', 'Odd'])} ${core}`],
    () => ['authorization', `Basic ${base64(`user:${core}`)}`],
    () => ['cookie', `a=b; sb-access-token=${core}; c=d`],
    () => ['referer', `https://app.test/page?${member}=${core}#access_token=${core}`],
    () => ['x-forwarded-uri', `/a?token=${core}`],
    () => ['x-context', JSON.stringify({ user: { [member]: anyAscii(core) } })],
    () => ['x-metadata', base64(JSON.stringify({ [member]: core }))],
    () => ['upload-metadata', `filename ${base64('a')},${member} ${base64(core)}`],
    () => ['x-note', `connect postgresql://owner:${core}@db.test:5432/postgres`],
  ])()
  if (dice(3) > 0) return { place: `header ${name}`, target, headers: [[name, value]] }
  const [answerName, answerValue] = pick<readonly [string, string]>(dice, [
    [pick(dice, SECRET_ANSWER_HEADERS), core],
    ['www-authenticate', `Bearer realm="${core}"`],
    ['www-authenticate', `Digest nonce="${core}", error="${core}"`],
    ['location', `https://app.test/#access_token=${core}&type=x`],
    ['link', `<https://app.test/?page=2&apikey=${core}>; rel="next"`],
  ])
  return {
    place: `answer header ${answerName}`,
    target,
    headers: [],
    answer: { headers: [[answerName, answerValue]] },
  }
}

function anyAscii(core: string): string {
  return `a "b" ${core}`
}

/** Percent-encodes one character of a name. */
function percentEncoded(dice: Dice, name: string): string {
  const at = dice(name.length)
  const code = name.charCodeAt(at).toString(16)
  return `${name.slice(0, at)}%${dice(2) === 0 ? code : code.toUpperCase()}${name.slice(at + 1)}`
}

function formPair(dice: Dice, core: string): string {
  const member = pick(dice, MEMBERS)
  const value = anyText(dice, core)
  const form = encodeURIComponent(value).replaceAll('%20', dice(2) === 0 ? '+' : '%20')
  return pick(dice, [
    () => `${member}=${form}`,
    () => `${percentEncoded(dice, member)}=${form}`,
    () => `user[${member}]=${form}`,
    () => `user%5B${member}%5D=${form}`,
    () => `${member}[]=${form}`,
    () => `data=${encodeURIComponent(JSON.stringify({ a: [{ [member]: value }] }))}`,
    () => `next=${encodeURIComponent(`https://app.test/?x=1&${member}=${core}`)}`,
  ])()
}

function inQuery(dice: Dice, core: string, target: string): Placed {
  const pair = pick(dice, [
    () => formPair(dice, core),
    () => `password=eq.${core}`,
    () => `or=(name.eq.a,password.not.eq.${core},token.in.(a,b))`,
    () => `data->>access_token=eq.${core}`,
    () => `X-Amz-Signature=${core}&X-Amz-Security-Token=${core}`,
    () => `q=eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.${core}`,
  ])()
  const mark = target.includes('?') ? '&' : '?'
  return { place: `query ${pair.split('=')[0]}`, target: `${target}${mark}${pair}`, headers: [] }
}

type Body = { readonly place: string; readonly body: PlacedBody }
type MakeBody = (dice: Dice, core: string) => Body

function body(place: string, type: string, text: string | Buffer): Body {
  return { place, body: { type, bytes: Buffer.from(text) } }
}

function escapedName(dice: Dice, name: string): string {
  const at = dice(name.length)
  const code = name.charCodeAt(at).toString(16).padStart(4, '0')
  return `"${name.slice(0, at)}\\u${code}${name.slice(at + 1)}"`
}

/** Returns the JSON of an object that contains the secret at a random depth. */
function jsonWith(dice: Dice, core: string): string {
  const member = pick(dice, MEMBERS)
  const value = JSON.stringify(anyText(dice, core))
  const object = pick(dice, [
    () => `{"id":1,"${member}":${value}}`,
    () => `{${escapedName(dice, member)} : ${value}}`,
    () => `{"${member}":["a",${value}]}`,
    () => `{"${member}":{"value":[${value}]}}`,
    () => `{"sql":${JSON.stringify(sqlWith(dice, core))}}`,
    () => `{"url":"https://app.test/?token=${core}"}`,
    () => `{"note":"postgresql://owner:${core}@db.test/postgres"}`,
    () => `{"text":${JSON.stringify(`the ${member}: ${core}`)}}`,
    () => `{"token":"eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.${core}"}`,
  ])()
  switch (dice(4)) {
    case 0:
      return `[{"a":1},{"b":[${object}]}]`
    case 1:
      return `{"payload":${JSON.stringify(object)}}`
    case 2:
      return JSON.stringify({ outer: JSON.stringify({ inner: JSON.parse(object) }) })
    default:
      return object
  }
}

function sqlWith(dice: Dice, core: string): string {
  return pick(dice, [
    `alter role owner with password '${core}'`,
    `ALTER ROLE owner ENCRYPTED PASSWORD 'it''s ${core}'`,
    `create role a login password E'a\\'${core}' valid until 'infinity'`,
    `create role a password $$${core}$$`,
    `create role a password $tag$${core}$tag$;`,
    `create role a password /* the new one */ '${core}'`,
    `create role a password -- the new one\n  'one' \n '${core}'`,
    `update accounts set password = '${core}', name = 'a' where id = 1`,
    `select dblink('host=a user=b password=${core}')`,
  ])
}

function multipartWith(dice: Dice, core: string): Body {
  const part = pick(dice, [
    `Content-Disposition: form-data; name="password"\r\n\r\n${core} & more`,
    `Content-Disposition: form-data; name="user[api_key]"\r\n\r\n${core}`,
    `Content-Disposition: form-data; name="note"\r\nX-Auth-Token: ${core}\r\n\r\nnothing`,
    `Content-Disposition: form-data; name="data"\r\nContent-Type: application/json\r\n\r\n${jsonWith(dice, core)}`,
    `content-disposition: form-data; name="f"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\npassword=${core}`,
    `Content-Disposition: form-data; name="f"; filename="?token=${core}"\r\n\r\nx`,
    `Content-Disposition: form-data; name="d"\r\n\r\n${jsonWith(dice, core)}`,
  ])
  const bytes = `--b0und\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b0und\r\n${part}\r\n--b0und--\r\n`
  return body('multipart', `multipart/form-data; boundary="b0und"`, bytes)
}

const JSON_TYPES = [
  'application/json',
  'application/vnd.pgrst.object+json',
  'application/json; charset=utf-8',
]

const BODIES: readonly MakeBody[] = [
  (dice, core) => body('json', pick(dice, JSON_TYPES), jsonWith(dice, core)),
  (dice, core) => body('json in text', 'text/plain', jsonWith(dice, core)),
  (dice, core) =>
    body(
      'form',
      'application/x-www-form-urlencoded',
      `grant_type=password&${formPair(dice, core)}&last=1`,
    ),
  multipartWith,
  (dice, core) => body('sql', pick(dice, ['text/plain', 'application/sql']), sqlWith(dice, core)),
  (dice, core) => {
    const member = pick(dice, MEMBERS)
    return body(
      'text',
      pick(dice, ['text/plain', 'text/html', '', 'application/xml']),
      pick(dice, [
        `line one\n${member}: ${core}\nline three`,
        `line one\n${member}=${core}`,
        `Authorization: Bearer ${core}\n`,
        `failed with {"${member}": "${core} and \\"more\\""} at 12`,
        `see https://app.test/?a=1&${member}=${core}&b=2`,
        `<a href="https://app.test/?a=1&amp;token=${core}">x</a>`,
        `<input type="hidden" name="${member}" value="${core}">`,
        `<input value='${core}' name=${member}>`,
        `<root><${member}>${core}</${member}></root>`,
        `data: {"a":1}\n\ndata: ${JSON.stringify({ [member]: core })}\n`,
        `{"a":1}\n${JSON.stringify({ x: { [member]: core } })}\n`,
        `postgresql://owner:${core}@db.test:5432/postgres`,
      ]),
    )
  },
  (dice, core) =>
    body('csv', 'text/csv', `id,${pick(dice, MEMBERS)},name\n1,"a ""b"" ${core}",x\n2,${core},y\n`),
  (dice, core) => {
    const text = jsonWith(dice, core)
    return pick<() => Body>(dice, [
      () => body('utf-16', 'application/json; charset=utf-16le', Buffer.from(text, 'utf16le')),
      () => body('utf-16 without a charset', 'text/plain', Buffer.from(text, 'utf16le')),
      () => body('broken json', 'application/json', text.slice(0, -1)),
      () => body('twice compressed', 'application/json', gzipSync(text)),
      () => body('unknown type', 'application/x-odd', `\u0008${core}`),
      () => body('unknown text', 'application/x-odd', `anything ${core}`),
      () => body('no boundary', 'multipart/form-data', `--x\r\n\r\n${core}\r\n--x--`),
    ])()
  },
]

function encoded(dice: Dice, { bytes, type }: PlacedBody): PlacedBody {
  switch (dice(8)) {
    case 0:
      return { type, bytes: gzipSync(bytes), coding: 'gzip' }
    case 1:
      return { type, bytes: deflateSync(bytes), coding: 'deflate' }
    case 2:
      return { type, bytes: brotliCompressSync(bytes), coding: 'br' }
    case 3:
      // Node.js has zstd only since version 22.15.
      return zlib.zstdCompressSync === undefined
        ? { type, bytes }
        : { type, bytes: zlib.zstdCompressSync(bytes), coding: 'zstd' }
    case 4:
      return { type, bytes: gzipSync(gzipSync(bytes)), coding: 'gzip, gzip' }
    default:
      return { type, bytes }
  }
}

function inFrame(dice: Dice, core: string): Placed {
  const message = jsonWith(dice, core)
  const frame = pick<() => string | Buffer>(dice, [
    () => `["1","2","realtime:a","broadcast",${message}]`,
    () => `{"topic":"a","event":"access_token","payload":{"access_token":"${core}"}}`,
    () => `password=${core}`,
    () => binaryBroadcast(Buffer.from(message), 1),
    () => binaryBroadcast(Buffer.from(core, 'utf16le'), 0),
    () => gzipSync(core),
  ])()
  const isText = typeof frame === 'string'
  return { place: `${isText ? 'text' : 'binary'} frame`, target: '', headers: [], frame }
}

// docs/wire/realtime.md#frames
function binaryBroadcast(payload: Buffer, encoding: number): Buffer {
  const texts = ['1', '2', 'realtime:a', 'x', '']
  const head = Buffer.from([3, ...texts.map((text) => text.length), encoding])
  return Buffer.concat([head, Buffer.from(texts.join('')), payload])
}

/** Whether the text contains the secret: as plain text, or encoded as JSON, percent-encoding, base64, UTF-16 or gzip. */
export function hasSecret(text: string, core: string, depth = 4): boolean {
  if (text.includes(core) || text.replaceAll('\0', '').includes(core)) return true
  if (depth === 0) return false
  return views(text).some((view) => view !== text && hasSecret(view, core, depth - 1))
}

function views(text: string): readonly string[] {
  const found: string[] = []
  const add = (make: () => string | readonly string[]): void => {
    try {
      found.push(...[make()].flat())
    } catch {
      // The text does not have this encoding.
    }
  }
  add(() => stringsIn(JSON.parse(text)))
  if (text.includes('%'))
    add(() => text.replace(/%([\da-f]{2})/gi, (_all, hex: string) => byte(hex)))
  if (text.includes('\\u'))
    add(() => text.replace(/\\u00([\da-f]{2})/gi, (_all, hex: string) => byte(hex)))
  for (const [run] of text.matchAll(/[\w+/-]{12,}={0,2}/g)) {
    const bytes = Buffer.from(run, 'base64')
    found.push(bytes.toString('latin1'))
    add(() => gunzipSync(bytes).toString('latin1'))
  }
  return found
}

function byte(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...stringsIn(inner)])
}
