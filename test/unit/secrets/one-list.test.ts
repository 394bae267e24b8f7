// Every credential and every secret member in the OpenAPI documents is masked wherever a request is shown or written. The places
// are log, journal, bundle, recording, copied requests, and the answers for agents.
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataDocument } from '../../../emulator/api/emulator-api/openapi/data-document.ts'
import { openApiDocument } from '../../../emulator/api/emulator-api/openapi/own-document.ts'
import { planeDocument } from '../../../emulator/api/emulator-api/openapi/plane-document.ts'
import { PLANES } from '../../../emulator/api/emulator-api/openapi/planes.ts'
import type { RequestDetail } from '../../../emulator/contract/recording.ts'
import {
  isSecretHeader,
  isSecretName,
  scopeOf,
} from '../../../emulator/platform/secrets/secret-names.ts'
import { addressesOf } from '../../../emulator/server/hosts.ts'
import { curlCommand } from '../../../renderer/parts/curl-command.ts'
import { fetchCode } from '../../../renderer/parts/fetch-code.ts'
import { testCode } from '../../../renderer/parts/test-code.ts'
import { agentAt } from '../../support/agent.ts'
import { startRecordingProxy, type TestProxy } from '../../support/recording-proxy.ts'
import { callsTo, startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

const DOCUMENTS: readonly object[] = [
  ...Object.values(PLANES).map((plane) =>
    planeDocument(plane, addressesOf('http://127.0.0.1:7357'), '1.0.0'),
  ),
  dataDocument({ slug: 'a', url: 'http://127.0.0.1:7357', swagger: {} }, '1.0.0'),
  openApiDocument('1.0.0'),
]
type Place = { readonly in: 'header' | 'query'; readonly name: string }

/** Collects the results of `read` for every object of the documents. */
function collect<Found>(
  read: (value: Record<string, unknown>) => readonly Found[],
): readonly Found[] {
  const visit = (value: unknown): readonly Found[] =>
    typeof value !== 'object' || value === null
      ? []
      : [...read(value as Record<string, unknown>), ...Object.values(value).flatMap(visit)]
  return DOCUMENTS.flatMap(visit)
}

function uniqueNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}

const PLACES: readonly Place[] = collect(({ in: place, name, scheme, type }) => {
  if (type === 'http' && scheme === 'bearer') return [{ in: 'header', name: 'authorization' }]
  return type === 'apiKey' ? [{ in: place as Place['in'], name: String(name).toLowerCase() }] : []
})
const NO_CREDENTIAL = ['x-superdb-project']
const HEADERS = uniqueNames(
  PLACES.flatMap((place) => (place.in === 'header' ? [place.name] : [])),
).filter((name) => !NO_CREDENTIAL.includes(name))
const PARAMETERS = uniqueNames(
  PLACES.flatMap((place) => (place.in === 'query' ? [place.name] : [])),
)
/** Names of members and parameters that are texts or numbers. */
const NAMES = uniqueNames(
  collect(({ in: place, name, properties }) => [
    ...(place === 'query' ? [String(name)] : []),
    ...Object.entries(properties ?? {}).flatMap(([member, schema]) =>
      ['object', 'boolean', 'array'].includes((schema as { type?: string } | null)?.type ?? '')
        ? []
        : [member],
    ),
  ]),
)
const AT_SIGN_IN = ['code', 'code_challenge', 'state']
/** Matches names that look like names of secrets. A new name must be masked, or be added to `HARMLESS`. */
const SUSPICIOUS =
  /token|secret|passw|key|code|signature|state|nonce|verif|otp|cookie|auth|credential|qr/i
const HARMLESS = [
  ...[
    'access_key_id',
    'auth_url',
    'code_challenge_method',
    'credential_kind',
    'destinationKey',
    'email_unverified',
  ],
  ...['error_code', 'foreign_keys', 'httpStatusCode', 'Key', 'key_version', 'nextCursorKey'],
  'object_key',
  ...['password_min_length', 'sourceKey', 'statement', 'statements', 'statusCode'],
  ...['token_expires_at', 'token_type'],
  // `key` is not masked by name, because the format of a group's or management key already shows that it is a secret.
  'key',
]
/** Members whose text contains a secret. */
const INSIDE: Readonly<Record<string, (secret: string) => string>> = {
  connection_string: (secret) => `postgresql://owner:${secret}@db.test:5432/postgres`,
  postgres_url: (secret) => `postgresql://owner:${secret}@db.test:5432/postgres`,
  uri: (secret) => `otpauth://totp/a?issuer=b&secret=${secret}`,
  signedURL: (secret) => `/object/sign/a/b.txt?token=${secret}`,
  link: (secret) => `https://app.test/auth/v1/verify?type=signup&token=${secret}`,
  url: (secret) => `https://app.test/#access_token=${secret}`,
  curl: (secret) => `curl -H 'apikey: ${secret}' https://app.test`,
  key: (secret) => `sdb_gk_${secret}`,
}

let count = 0
const secrets = new Map<string, string>()
/** Returns a different secret for each place. Log and journal may show the first eight characters. */
function secretAt(place: string): string {
  count += 1
  const hidden = `hidden${String(count).padStart(4, '0')}0123456789abcdef`
  secrets.set(place, hidden)
  return `abcdefgh${hidden}`
}
function shownBy(text: string): readonly string[] {
  return [...secrets].flatMap(([place, hidden]) => (text.includes(hidden) ? [place] : []))
}

describe('the list of secrets', () => {
  it('contains every credential that the OpenAPI documents name', () => {
    expect(HEADERS).toEqual(['apikey', 'authorization', 'x-api-key', 'x-signature'])
    expect(HEADERS.filter((name) => !isSecretHeader(name))).toEqual([])
    expect(PARAMETERS).toEqual(['apikey', 'token'])
    expect(PARAMETERS.filter((name) => !isSecretName(name, false))).toEqual([])
  })

  it('contains every member of the schemas that has the name of a secret', () => {
    const missing = NAMES.filter(
      (name) => SUSPICIOUS.test(name) && !isSecretName(name, false) && !HARMLESS.includes(name),
    )
    expect(missing).toEqual(AT_SIGN_IN)
    expect(HARMLESS.filter((name) => !NAMES.includes(name))).toEqual([])
    const { inMembers, inParameters } = scopeOf('/auth/v1/signin', 'request')
    expect([inMembers, inParameters]).toEqual([true, true])
    expect(AT_SIGN_IN.filter((name) => !isSecretName(name, true))).toEqual([])
  })
})

describe('a request with a secret in every place', () => {
  const log: unknown[] = []
  let at: TestEmulator
  let proxy: TestProxy
  const details: RequestDetail[] = []
  beforeAll(async () => {
    at = await startTestEmulator({}, [(observation) => log.push(observation)])
    proxy = await startRecordingProxy(at.url)
    const call = callsTo(proxy.url)
    const sent: Promise<{ readonly headers: Headers }>[] = []
    for (const name of HEADERS)
      sent.push(call('GET', '/notes', { headers: { [name]: secretAt(`header ${name}`) } }))
    for (const path of ['/notes', '/auth/v1/verify', '/storage/v1/object/sign/a/b'])
      for (const name of PARAMETERS)
        sent.push(call('GET', `${path}?${name}=${secretAt(`${path} parameter ${name}`)}`))
    const members = NAMES.filter((name) => isSecretName(name, false))
    const body = (path: string, names: readonly string[]) =>
      Object.fromEntries([
        ...names.map((name) => [name, secretAt(`${path} member ${name}`)]),
        ...Object.entries(INSIDE).map(([name, text]) => [
          name,
          text(secretAt(`${path} in ${name}`)),
        ]),
      ])
    const orders = [
      ['/auth/v1/signin', [...members, ...AT_SIGN_IN]],
      ['/platform/v1/session', members],
      ['/groups/v1/grp_1/tenants', members],
      ['/st/v1/token', members],
      ['/storage/v1/bucket', members],
      ['/realtime/v1/api/broadcast', members],
      ['/notes', members],
    ] as const
    for (const [path, names] of orders) sent.push(call('POST', path, { body: body(path, names) }))
    const query = AT_SIGN_IN.map((name) => `${name}=${secretAt(`parameter ${name}`)}`).join('&')
    sent.push(call('GET', `/auth/v1/callback/google?${query}`))
    for (const answer of await Promise.all(sent)) {
      const id = answer.headers.get('x-request-id')
      const { body: detail } = await at.call<RequestDetail>('GET', `/_emulator/v1/journal/${id}`)
      details.push(detail)
    }
    await until(() => proxy.entries.length === sent.length)
  })
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]()
    await at[Symbol.asyncDispose]()
  })

  it('is refused, and is recorded with its body', () => {
    expect(details.filter(({ entry }) => entry.status < 300)).toEqual([])
    const bodies = details.map(({ recording }) => recording?.request_body.text ?? '')
    expect(bodies.filter((text) => text.includes('abcdefgh…')).length).toBe(7)
  })

  it('shows no secret in the log', () => {
    expect(log.length).toBeGreaterThan(10)
    expect(shownBy(JSON.stringify(log))).toEqual([])
  })

  it('shows no secret in the inspector’s journal', async () => {
    expect(shownBy(JSON.stringify(details))).toEqual([])
    const { text } = await at.call('GET', '/_emulator/v1/journal?limit=100')
    expect(text).toContain('/auth/v1/signin')
    expect(shownBy(text)).toEqual([])
  })

  it('shows no secret in a copied request', () => {
    const none = { token: undefined, apikey: undefined }
    const copies = details.flatMap((detail) => [
      curlCommand(detail, at.url, none),
      fetchCode(detail, at.url, none),
      testCode({ ...detail, entry: { ...detail.entry, schema_name: 'proj_a' } }) ?? '',
    ])
    expect(copies.join('\n')).toContain('x-signature')
    expect(shownBy(copies.join('\n'))).toEqual([])
  })

  it('shows no secret in a bundle', async () => {
    const answer = await fetch(`${at.url}/_emulator/v1/bundles`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ with_state: false }),
    })
    const content = gunzipSync(await answer.arrayBuffer()).toString('utf8')
    expect(content).toContain('/auth/v1/signin')
    expect(shownBy(content)).toEqual([])
  })

  it('shows no secret in a recording', () => {
    expect(shownBy(JSON.stringify(proxy.entries))).toEqual([])
    expect(JSON.stringify(proxy.entries)).not.toContain('abcdefgh')
  })

  it('shows no secret to agents', async () => {
    await using agent = await agentAt(at.url)
    const recent = await agent.ask('recent_requests', { limit: 50 })
    const refused = await agent.ask('why_refused')
    expect(recent).toContain('/auth/v1/signin')
    expect(shownBy(recent + refused)).toEqual([])
  })
})
