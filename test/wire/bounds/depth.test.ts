// Texts nested thousands of levels deep, for every recursive parser. Each request is refused or answered, and none causes an
// internal error.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Observation } from '../../../emulator/index.ts'
import {
  createGroup,
  provisionTenant,
  type TestEmulator,
  type TestGroup,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const DEEP = 3_000
const ALLOWED = 50
const MOST = 498
const MOST_EMBEDS = 98

let at: TestEmulator
let group: TestGroup
let tenant: TestTenant
const failures: Observation[] = []
beforeAll(async () => {
  at = await workerEmulator([
    (observation) => observation.kind === 'internalFailure' && failures.push(observation),
  ])
  group = await createGroup(at, 'depth', {
    sql: 'create table docs (id int primary key, parent int references docs, doc jsonb);',
  })
  tenant = await provisionTenant(at, group, 'acme')
})
beforeEach(() => {
  failures.length = 0
})
afterAll(() => at[Symbol.asyncDispose]())

const keys = () => ({
  apikey: tenant.serviceRoleKey,
  authorization: `Bearer ${tenant.serviceRoleKey}`,
})

const around = (open: string, inside: string, close: string, levels: number): string =>
  open.repeat(levels) + inside + close.repeat(levels)

const QUERIES: [string, (levels: number) => string][] = [
  ['JSON path of a filter', (levels) => `doc${'->a'.repeat(levels)}=eq.1`],
  ['JSON path of a selected field', (levels) => `select=x:doc${'->a'.repeat(levels)}`],
  ['JSON path of an order', (levels) => `order=doc${'->a'.repeat(levels)}`],
  ['JSON path in a group', (levels) => `or=(doc${'->a'.repeat(levels)}.eq.1)`],
  ['nesting of groups', (levels) => `or=(${around('and(', 'id.eq.1', ')', levels)})`],
  ['nesting of negated groups', (levels) => `or=(${around('not.and(', 'id.eq.1', ')', levels)})`],
  ['nesting of embeds', (levels) => `select=${around('docs!parent(', 'id', ')', levels)}`],
  ['nesting of spreads', (levels) => `select=${around('...docs!parent(', 'id', ')', levels)}`],
]
const REFUSED: typeof QUERIES = [
  ['path of a filter', (levels) => `${'docs.'.repeat(levels)}id=eq.1`],
  ['path of an order', (levels) => `${'docs.'.repeat(levels)}order=id`],
  ['relation path in an order', (levels) => `order=${around('docs(', 'id', ')', levels)}`],
]

describe('a deeply nested query', () => {
  it.each([...QUERIES, ...REFUSED])('is refused at 3,000 levels in the %s', async (_, queryOf) => {
    const { status, body } = await at.call('GET', `/rest/v1/docs?${queryOf(DEEP)}`, {
      headers: keys(),
    })
    expect([status, body.code]).toEqual([400, expect.stringMatching(/^PGRST1/)])
    expect(failures).toEqual([])
  })

  it.each(QUERIES.slice(0, 6))('is answered at 50 levels in the %s', async (_, queryOf) => {
    const { status } = await at.call('GET', `/rest/v1/docs?${queryOf(ALLOWED)}`, {
      headers: keys(),
    })
    expect(status).toBe(200)
  })
})

describe('a query of nearly the maximum depth', () => {
  it.each(QUERIES)('causes no internal failure in the %s', async (name, queryOf) => {
    const { status } = await at.call(
      'GET',
      `/rest/v1/docs?${queryOf(name.includes('embeds') || name.includes('spreads') ? MOST_EMBEDS : MOST)}`,
      { headers: keys() },
    )
    expect([status < 500, failures]).toEqual([true, []])
  })
})

const arrays = around('[', '1', ']', 100_000)

describe('a body of 100,000 levels', () => {
  const rows: [string, string, string, () => string][] = [
    ['POST', '/rest/v1/docs', `{"id":1,"doc":${arrays}}`, () => tenant.serviceRoleKey],
    [
      'POST',
      '/auth/v1/signup',
      `{"email":"a@x.test","password":"secret-pass-1","data":{"a":${arrays}}}`,
      () => tenant.anonKey,
    ],
    ['POST', '/platform/v1/projects', `{"name":"a","slug":"abc","x":${arrays}}`, () => at.session],
    [
      'POST',
      '/_emulator/v1/principals',
      `{"project":"acme","role":"authenticated","claims":{"a":${arrays}}}`,
      () => '',
    ],
    [
      'POST',
      '/_emulator/v1/projects/acme/users',
      `{"email":"b@x.test","password":"secret-pass-1","user_metadata":{"a":${arrays}}}`,
      () => '',
    ],
  ]

  it.each(rows)('is refused with 400 by %s %s', async (method, path, body, credential) => {
    const bearer = credential()
    const { status } = await at.call(method, path, {
      body,
      headers: {
        apikey: tenant.anonKey,
        ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
      },
    })
    expect([status, failures]).toEqual([400, []])
  })

  it('is refused with 400 in a broadcast', async () => {
    const { body } = await at.call('POST', '/rt/v1/token', { credential: tenant.serviceRoleKey })
    const { status } = await at.call('POST', '/realtime/v1/api/broadcast', {
      credential: body.token,
      body: `{"messages":[{"topic":"a","event":"b","payload":{"a":${arrays}}}]}`,
    })
    expect([status, failures]).toEqual([400, []])
  })
})
