// The client for a remote platform: to which addresses it sends keys, and its error messages.
import { describe, expect, it } from 'vitest'
import { SystemClock } from '../../../../emulator/core/clock.ts'
import { createHttpClient } from '../../../../emulator/platform/http-client/http-client.ts'
import { createPlatformClient } from '../../../../emulator/workflow/migrations/remote/platform-client.ts'
import { readRemoteKeys } from '../../../../emulator/workflow/migrations/remote/remote-keys.ts'

const http = createHttpClient({ wallClock: new SystemClock() })

const KEYS = { managementKey: 'sdb_pmk_secret', groupApiKey: 'sdb_gk_secret' }

interface Sent {
  readonly url: string
  readonly init: RequestInit | undefined
}

/** Makes a client whose requests get these answers in turn. */
function clientWith(...answers: readonly (Response | Error)[]) {
  const sent: Sent[] = []
  const client = createPlatformClient({
    url: 'https://auth.example.com/dashboard?x=1',
    keys: KEYS,
    http: createHttpClient({
      wallClock: new SystemClock(),
      fetch: async (url, init) => {
        sent.push({ url: String(url), init })
        const answer = answers[sent.length - 1]
        if (answer instanceof Response) return answer
        throw answer ?? new Error('no more answers')
      },
    }),
  })
  return { client, sent }
}

const json = (body: unknown, status = 200) => Response.json(body, { status })

describe('createPlatformClient', () => {
  it('sends the key in a header only to the platform’s origin, and follows no redirect', async () => {
    const { client, sent } = clientWith(json({ rows: [{ n: 1 }] }), json({ name: 'g' }))
    expect(await client.exec('proj_a', 'select 1 as n')).toEqual({ kind: 'done', rows: [{ n: 1 }] })
    await client.group('grp_a')
    expect(sent.map(({ url }) => url)).toEqual([
      'https://auth.example.com/platform/v1/projects/proj_a/db/exec',
      'https://auth.example.com/groups/v1/grp_a',
    ])
    expect(sent[0]?.init).toMatchObject({
      headers: { authorization: 'Bearer sdb_pmk_secret' },
      body: '{"sql":"select 1 as n"}',
      redirect: 'manual',
    })
    expect(sent[1]?.init).toMatchObject({ headers: { authorization: 'Bearer sdb_gk_secret' } })
  })

  it('escapes names in the path', async () => {
    const { client, sent } = clientWith(json([]))
    await client.buckets('../groups')
    expect(sent[0]?.url).toBe('https://auth.example.com/platform/v1/projects/..%2Fgroups/buckets')
  })

  it('returns SQL errors and refused scripts as outcomes', async () => {
    const { client } = clientWith(
      json({ error: { code: '42P01', message: 'no such table', line: 3 } }),
      json({ error: { code: 'role_change_blocked', message: 'The SQL changes the role.' } }, 403),
    )
    expect(await client.exec('proj_a', 'x')).toEqual({
      kind: 'failed',
      code: '42P01',
      message: 'no such table',
      line: 3,
    })
    expect(await client.exec('proj_a', 'x')).toMatchObject({
      kind: 'failed',
      code: 'role_change_blocked',
    })
  })

  it.each([
    [
      json({ error: { code: 'unauthorized', message: 'Expired.' } }, 401),
      'unauthorized',
      'unauthorized',
    ],
    [new Response('<html>', { status: 401 }), 'unauthorized', 'http_401'],
    [json({ error: { code: 'forbidden', message: 'Other.' } }, 403), 'refused', 'forbidden'],
    [json({ error: { code: 'not_found', message: 'None.' } }, 404), 'refused', 'not_found'],
    [new Response('<html>', { status: 404 }), 'refused', 'no_platform'],
    [json({}, 302), 'refused', 'no_platform'],
    [json({ error: { code: 'internal', message: 'Oh.' } }, 500), 'lost', 'internal'],
    [new Response('<html>', { status: 502 }), 'lost', 'http_502'],
    [new Response('', { status: 408 }), 'lost', 'http_408'],
    [new Response('<html>', { status: 200 }), 'lost', 'no_platform'],
    [json([]), 'lost', 'no_platform'],
    [new TypeError('fetch failed'), 'lost', 'no_answer'],
  ] as const)('maps the failure %o to %s with the code %s', async (answer, kind, code) => {
    const { client } = clientWith(answer)
    const error = await client.exec('proj_a', 'x').catch((caught: unknown) => caught)
    expect(error).toMatchObject({ kind, code, hint: expect.stringMatching(/\.$/) })
    expect(JSON.stringify([String(error), error])).not.toContain('secret')
  })

  it.each([
    ['http://10.0.0.7:7357', 'would receive the key without encryption'],
    ['ftp://auth.example.com', 'is not a valid address'],
    ['auth.example.com', 'is not a valid address'],
  ])('refuses the address %s', (url, message) => {
    expect(() => createPlatformClient({ url, keys: KEYS, http })).toThrow(message)
  })

  it('accepts an emulator on this machine without encryption', () => {
    const { origin } = createPlatformClient({ url: 'http://127.0.0.1:7357', keys: KEYS, http })
    expect(origin).toBe('http://127.0.0.1:7357')
  })
})

describe('readRemoteKeys', () => {
  it('treats an empty variable as absent, and removes spaces around a key', () => {
    expect(
      readRemoteKeys({
        TENANTRY_REMOTE_MANAGEMENT_KEY: ' ',
        TENANTRY_REMOTE_SESSION_TOKEN: ' a \n',
      }),
    ).toEqual({ managementKey: undefined, groupApiKey: undefined, sessionToken: 'a' })
  })

  it('refuses text that is not a key, without repeating it', () => {
    const read = () => readRemoteKeys({ TENANTRY_REMOTE_MANAGEMENT_KEY: 'two words' })
    expect(read).toThrow('TENANTRY_REMOTE_MANAGEMENT_KEY is not a key')
    expect(read).not.toThrow('two words')
  })
})
