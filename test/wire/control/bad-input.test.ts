// Bad input of any kind to the management routes. Each request gets a documented error, and never a 500 or a stack trace. Later
// requests get the same answers as before.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type TestEmulator, type TestGroup } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
let group: TestGroup

beforeAll(async () => {
  at = await workerEmulator()
  group = await createGroup(at, 'hardened')
})
afterAll(() => at[Symbol.asyncDispose]())

const DOCUMENTED = [
  'invalid_request',
  'invalid_json',
  'invalid_slug',
  'payload_too_large',
  'not_found',
  'method_not_allowed',
  'unauthorized',
  'confirmation_required',
  'forbidden',
]

function expectDocumented(answer: {
  status: number
  text: string
  body: { error?: { code?: string } }
}): void {
  expect(answer.text).not.toMatch(/node_modules|\.ts:\d|at async/)
  expect({
    status: answer.status,
    isDocumented: DOCUMENTED.includes(answer.body.error?.code ?? ''),
  }).toEqual({
    status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
    isDocumented: true,
  })
}

const routes = () =>
  [
    ['POST', '/platform/v1/session', at.session],
    ['POST', '/platform/v1/projects', at.session],
    ['POST', '/platform/v1/groups', at.session],
    ['PATCH', `/platform/v1/groups/${group.id}`, at.session],
    ['POST', `/groups/v1/${group.id}/tenants`, group.key],
    ['POST', `/platform/v1/projects/${group.templateId}/db/exec`, at.session],
    ['POST', `/platform/v1/projects/${group.templateId}/buckets`, at.session],
  ] as const

describe('management routes', () => {
  it.each([
    ['malformed JSON', '{"slug":'],
    ['no JSON at all', 'slug=acme'],
    ['an array', '[1,2,3]'],
    ['a bare string', '"acme"'],
    ['null', 'null'],
    [
      'JSON of the wrong types',
      '{"slug":{},"name":[],"email":1,"password":{},"sql":7,"template_project_id":false,"external_id":{}}',
    ],
    [
      'a NUL character',
      '{"slug":"a\\u0000b","name":"a\\u0000b","template_project_id":"\\u0000","email":"\\u0000","password":"x","sql":7}',
    ],
    [
      'nesting 20,000 deep',
      `{"slug":"x","metadata":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    ],
    ['10 MB', `{"slug":"${'x'.repeat(10 * 1024 * 1024)}"}`],
  ])('answer %s with a documented error', async (_what, body) => {
    for (const [method, path, credential] of routes()) {
      const answer = await at.call<{ error?: { code?: string } }>(method, path, {
        credential,
        body,
      })
      expectDocumented(answer)
    }
  })

  it('answer a body that is not UTF-8 with a documented error', async () => {
    const response = await fetch(`${at.url}/groups/v1/${group.id}/tenants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${group.key}`, 'content-type': 'application/json' },
      body: new Uint8Array([0x7b, 0xff, 0xfe, 0x00, 0x7d]),
    })
    expectDocumented({
      status: response.status,
      ...(await response.text().then((text) => ({ text, body: JSON.parse(text) }))),
    })
  })

  it.each([
    "' or 1=1; drop table projects; --",
    '$(reboot)',
    '../../etc/passwd',
    '%00',
    '%ff%fe',
    '🙂',
    'a'.repeat(5_000),
  ])('treat %.30s in a path as an unknown name', async (name) => {
    const escaped = name.startsWith('%') ? name : encodeURIComponent(name)
    const paths = [
      ['GET', `/platform/v1/groups/${escaped}`, at.session],
      ['GET', `/platform/v1/projects/${escaped}`, at.session],
      ['GET', `/groups/v1/${group.id}/tenants/${escaped}`, group.key],
      ['DELETE', `/groups/v1/${group.id}/tenants/${escaped}`, group.key],
      ['GET', `/groups/v1/${escaped}/tenants`, group.key],
    ] as const
    for (const [method, path, credential] of paths) {
      const answer = await at.call<{ error?: { code?: string } }>(method, path, { credential })
      expectDocumented(answer)
    }
  })

  it('ignore unknown fields', async () => {
    const answer = await at.call('POST', `/groups/v1/${group.id}/tenants`, {
      credential: group.key,
      body: { slug: 'curious', colour: 'red', __proto__: { admin: true }, constructor: 1 },
    })
    expect(answer.status).toBe(201)
  })

  it.each(['PUT', 'PATCH', 'DELETE'])(
    'answer %s on a list with 405 and the allowed methods',
    async (method) => {
      const answer = await at.call(method, '/platform/v1/groups', { credential: at.session })
      expect(answer).toMatchObject({ status: 405, body: { error: { code: 'method_not_allowed' } } })
      expect(answer.headers.get('allow')).toMatch(/GET.*POST|POST.*GET/)
    },
  )

  it('answer unknown paths with 404', async () => {
    expect(await at.call('GET', '/platform/v1/nothing', { credential: at.session })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
  })

  it('never answer a JSON body with a 5xx status', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 4 }), fc.nat({ max: 6 }), async (body, index) => {
        const [method, path, credential] = routes()[index] ?? routes()[0]
        const answer = await at.call(method, path, { credential, body })
        expect(answer.status).toBeLessThan(500)
      }),
      { numRuns: 300, seed: 7 },
    )
  })

  it('answer 401 to random text as a credential', async () => {
    const text = fc.string({
      unit: fc.constantFrom(...'abcXYZ019.-_=+/~'),
      minLength: 1,
      maxLength: 300,
    })
    await fc.assert(
      fc.asyncProperty(text, async (credential) => {
        const answer = await at.call('GET', '/platform/v1/groups', { credential })
        expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
      }),
      { numRuns: 200, seed: 7 },
    )
  })
})

describe('the emulator’s own API', () => {
  it('refuses a foreign Host', async () => {
    const answer = await at.emulator.fetch(new Request('http://evil.example/_emulator/v1/info'))
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ error: { code: 'foreign_host' } })
  })

  // Calls the emulator without a socket, because `fetch` over a socket sets these headers itself.
  it.each([
    ['an image of a foreign page', 'cross-site', 'no-cors', 403],
    ['a link that a user follows', 'cross-site', 'navigate', 200],
    ['an image of its own page', 'same-origin', 'no-cors', 200],
  ])('allows or refuses %s by its Sec-Fetch headers', async (_, site, mode, status) => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode }
    const request = new Request('http://127.0.0.1/_emulator/v1/health', { headers })
    expect((await at.emulator.fetch(request)).status).toBe(status)
  })

  it('refuses a foreign Origin without Access-Control-Allow-Origin', async () => {
    const answer = await at.call('GET', '/_emulator/v1/info', {
      headers: { origin: 'https://evil.example' },
    })
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'foreign_origin' } } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  it.each([
    ['POST', '/_emulator/v1/clock', '{"advance_ms":"x"}'],
    ['POST', '/_emulator/v1/clock', '{"advance_ms":1e300}'],
    ['POST', '/_emulator/v1/clock', '{"set":"yesterday"}'],
    ['POST', '/_emulator/v1/clock', '{nope'],
    // cspell:disable-next-line
    ['POST', '/_emulator/v1/principals', '{"project":"nobody","role":"anon"}'],
    ['POST', '/_emulator/v1/principals', '{"project":"hardened","role":"root"}'],
    ['PUT', '/_emulator/v1/projects/hardened/switches', '{"on":["world_peace"]}'],
    ['GET', '/_emulator/v1/journal?limit=0', undefined],
    ['GET', '/_emulator/v1/nowhere', undefined],
  ])('answers %s %s %s with a documented error', async (method, path, body) => {
    const answer = await at.call<{ error?: { code?: string } }>(
      method,
      path,
      body === undefined ? {} : { body },
    )
    expectDocumented(answer)
  })
})
