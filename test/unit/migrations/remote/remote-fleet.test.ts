// A rollout over the platform's HTTP API while requests and answers get lost: nothing is applied twice, and every run continues.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SystemClock } from '../../../../emulator/core/clock.ts'
import { loadSqlParser } from '../../../../emulator/database/sql-parser.ts'
import { createHttpClient } from '../../../../emulator/platform/http-client/http-client.ts'
import type { Fleet } from '../../../../emulator/workflow/migrations/apply/fleet.ts'
import { fleetStatus } from '../../../../emulator/workflow/migrations/apply/fleet-status.ts'
import {
  type RolloutOrder,
  rollOut,
} from '../../../../emulator/workflow/migrations/apply/roll-out.ts'
import { createPlatformClient } from '../../../../emulator/workflow/migrations/remote/platform-client.ts'
import { createRemoteFleet } from '../../../../emulator/workflow/migrations/remote/remote-fleet.ts'
import type { RemoteKeys } from '../../../../emulator/workflow/migrations/remote/remote-keys.ts'
import { type Step, toSteps } from '../../../../emulator/workflow/migrations/steps/step.ts'
import { ask } from '../../../support/fixture-folder.ts'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestGroup,
} from '../../../support/test-emulator.ts'

const parser = await loadSqlParser()
let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

/** Each step inserts one row, so that the test sees when a step ran twice. */
const { steps } = toSteps([
  {
    file: '20260101000000_runs.sql',
    sql: "create table runs (step text);\ninsert into runs values ('one');",
  },
  { file: '20260102000000_two.sql', sql: "insert into runs values ('two');" },
  {
    file: '20260103000000_three.sql',
    sql: "-- tenantry: no-transaction\ninsert into runs values ('three');\ninsert into runs values ('four');",
  },
])
const EVERYTHING = [['four'], ['one'], ['three'], ['two']]
const ORDER: RolloutOrder = {
  steps: steps as readonly Step[],
  tenants: 'all',
  publish: true,
  canary: [],
  onFailure: 'continue',
  isDryRun: false,
  baseline: undefined,
}

type Trouble = 'none' | 'request_lost' | 'answer_lost' | number

/** Returns a `fetch` whose calls have these faults, in order. All later calls succeed. */
function troubled(
  troubles: Iterable<Trouble>,
  onCall: (url: string) => void = () => {},
): typeof fetch {
  const waiting = [...troubles]
  return async (url, init) => {
    onCall(String(url))
    const trouble = waiting.shift() ?? 'none'
    if (trouble === 'request_lost') throw new TypeError('fetch failed')
    if (typeof trouble === 'number' && trouble < 500)
      return Response.json(
        { error: { code: `code_${trouble}`, message: 'no' } },
        { status: trouble },
      )
    const answer = await fetch(url, init)
    if (trouble === 'answer_lost') throw new TypeError('terminated')
    return typeof trouble === 'number' ? new Response('<html>', { status: trouble }) : answer
  }
}

async function groupWith(slug: string, tenants: readonly string[]): Promise<TestGroup> {
  const group = await createGroup(at, slug)
  for (const tenant of tenants) await provisionTenant(at, group, tenant)
  return group
}

function fleetOf(
  group: TestGroup,
  send: typeof fetch,
  keys: RemoteKeys = { sessionToken: at.session, groupApiKey: group.key },
): Fleet {
  return createRemoteFleet(
    createPlatformClient({
      url: at.url,
      keys,
      http: createHttpClient({ wallClock: new SystemClock(), fetch: send }),
    }),
    group.id,
  )
}

const runsOf = (slug: string) => ask(at, slug, 'select step from runs order by 1')

/** Small generator of pseudo-random numbers (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const TROUBLES: readonly Trouble[] = ['request_lost', 'answer_lost', 502, 402, 401]

describe('a rollout over the HTTP API', () => {
  it.each([1, 2, 3, 4])(
    'applies each step once, although answers get lost, seed %i',
    async (seed) => {
      const slug = `storm${seed}`
      const tenants = [`${slug}_a`, `${slug}_b`]
      const group = await groupWith(slug, tenants)
      const random = seeded(seed)
      const troubles = Array.from({ length: 60 }, () =>
        random() < 0.5 ? 'none' : (TROUBLES[Math.floor(random() * TROUBLES.length)] ?? 'none'),
      )
      const send = troubled(troubles)
      let isComplete = false
      for (let run = 0; run < 70 && !isComplete; run += 1) {
        const report = await rollOut(fleetOf(group, send), ORDER, parser).catch(() => undefined)
        isComplete =
          report?.template.ok === true &&
          report.published !== undefined &&
          report.tenants.every(({ ok }) => ok)
      }
      expect(isComplete).toBe(true)
      for (const project of [slug, ...tenants]) expect(await runsOf(project)).toEqual(EVERYTHING)
      const { body } = await at.call('GET', '/platform/v1/projects', { credential: at.session })
      const published = body.filter((project: { slug: string }) =>
        project.slug.startsWith(`${slug}_v`),
      )
      expect(published).toHaveLength(1)
    },
  )

  it('continues after a lost answer, and runs no step twice', async () => {
    const group = await groupWith('lost', ['lost_a'])
    const paths: string[] = []
    const lookups: Trouble[] = ['none', 'none', 'none', 'answer_lost']
    const fleet = fleetOf(
      group,
      troubled(lookups, (url) => paths.push(new URL(url).pathname)),
    )
    const report = await rollOut(fleet, { ...ORDER, publish: false }, parser)
    expect(report).toMatchObject({ template: { ok: true }, tenants: [{ ok: true }] })
    expect(paths.slice(2, 5)).toEqual(Array(3).fill('/platform/v1/projects/proj_lost/db/exec'))
    expect(await runsOf('lost')).toEqual(EVERYTHING)
  })

  it('stops when a credential is refused, and names the remaining tenants', async () => {
    const group = await groupWith('denied', ['denied_a', 'denied_b'])
    const calls: Trouble[] = [...Array<Trouble>(9).fill('none'), 401]
    const report = await rollOut(
      fleetOf(group, troubled(calls)),
      { ...ORDER, publish: false },
      parser,
    )
    expect(report.tenants).toMatchObject([
      {
        slug: 'denied_a',
        ok: false,
        applied: ['20260101000000'],
        failure: { code: 'code_401', step: '20260102000000_two.sql' },
      },
      { slug: 'denied_b', ok: false, skipped: 'stopped' },
    ])
    const again = await rollOut(fleetOf(group, fetch), { ...ORDER, publish: false }, parser)
    expect(again.tenants).toMatchObject([
      { applied: ['20260102000000', '20260103000000'] },
      { ok: true },
    ])
    expect(await runsOf('denied_a')).toEqual(EVERYTHING)
  })

  it('continues after a tenant that the platform refuses with 402', async () => {
    const group = await groupWith('unpaid', ['unpaid_a', 'unpaid_b'])
    const calls: Trouble[] = [...Array<Trouble>(7).fill('none'), 402]
    const report = await rollOut(
      fleetOf(group, troubled(calls)),
      { ...ORDER, publish: false },
      parser,
    )
    expect(report.tenants).toMatchObject([
      { slug: 'unpaid_a', ok: false, failure: { code: 'code_402' } },
      { slug: 'unpaid_b', ok: true },
    ])
  })

  it('sends only read requests for a status and a dry run', async () => {
    const group = await groupWith('look', ['look_a'])
    const fleet = fleetOf(group, fetch)
    const report = await rollOut(fleet, { ...ORDER, isDryRun: true }, parser)
    expect(report).toMatchObject({
      published: undefined,
      tenants: [{ ok: true, applied: [], pending: { length: 3 } }],
    })
    expect((await fleetStatus(fleet, steps, parser)).tenants).toMatchObject([{ state: 'behind' }])
    const sql = "select to_regclass('tenantry_migrations')"
    expect(await ask(at, 'look_a', sql)).toEqual([[null]])
  })
})

describe('a rollout with keys', () => {
  it('works with a management key of the template and the Group API Key, without a session', async () => {
    const group = await groupWith('keyed', ['keyed_a'])
    const minted = await at.call('POST', `/platform/v1/projects/${group.templateId}/db/keys`, {
      credential: at.session,
      body: { label: 'template' },
    })
    const keys = { groupApiKey: group.key, managementKey: minted.body.key }
    const fleet = fleetOf(group, fetch, keys)
    expect(await rollOut(fleet, ORDER, parser)).toMatchObject({
      template: { ok: true },
      published: 'keyed_v2',
      tenants: [{ slug: 'keyed_a', ok: true }],
    })
    expect(await runsOf('keyed_a')).toEqual(EVERYTHING)
    const { versions } = await fleetStatus(fleet, steps, parser)
    expect(versions).toMatchObject([
      {
        slug: 'keyed_v2',
        state: 'unknown',
        problem: expect.stringMatching(/keyed_v2.*TENANTRY_REMOTE_SESSION_TOKEN/),
      },
    ])
    const order = { ...ORDER, publish: false, baseline: '20260101000000' }
    expect(await rollOut(fleet, order, parser)).toMatchObject({
      versions: [{ slug: 'keyed_v2', recorded: [], failure: { code: 'missing_key' } }],
    })
  })

  it('names the environment variable of a missing key', async () => {
    const group = await groupWith('keyless', [])
    const fleetWith = (keys: RemoteKeys) => fleetOf(group, fetch, keys)
    await expect(fleetWith({}).template()).rejects.toMatchObject({
      hint: expect.stringContaining('TENANTRY_REMOTE_GROUP_API_KEY'),
    })
    await expect(fleetWith({ sessionToken: at.session }).tenants()).rejects.toMatchObject({
      hint: expect.stringContaining('TENANTRY_REMOTE_GROUP_API_KEY'),
    })
    const report = await rollOut(
      fleetWith({ groupApiKey: group.key }),
      { ...ORDER, publish: false },
      parser,
    )
    expect(report.template.failure?.message).toContain('TENANTRY_REMOTE_MANAGEMENT_KEY')
  })
})
