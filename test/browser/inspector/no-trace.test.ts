// Opening the screens of the inspector changes nothing that the screens or the API show, and sends no request twice.
import type { Page, Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { isTenantScreen, SCREENS } from '../../../emulator/contract/screens.ts'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeOwnInspector, type InspectorWorld } from '../../support/describe-inspector.ts'
import { loaded } from '../../support/inspector-page.ts'
import { patiently } from '../../support/patience.ts'
import { storageToken } from '../../support/storage-world.ts'
import type { Json } from '../../support/test-emulator.ts'
import { until, untilAsync } from '../../support/until.ts'

const API = '/_emulator/v1'
const DOCUMENTS = 'proj_aurora_documents'
const ANA = 'ana@patients.test'

/** The only screens that load users and sizes of all tenants, which is the slowest read. */
const WITH_OVERVIEW = ['Groups and tenants']

/** Routes that a screen requests again after some seconds, or while sizes are missing. */
const RENEWED = /^GET \/(home|overview|clock\/expiries|projects\/aurora\/realtime) /

const AS_ANA = [
  ...SCREENS.filter(isTenantScreen),
  { path: '/t/$tenant/storage/documents', label: 'Storage' },
].map(({ path, label }) => ({ path: `${path}?as=user:${ANA}`, label }))

describeOwnInspector('looking at every screen', (world) => {
  it(
    'changes nothing that the screens or the API show, and sends no request twice',
    async () => {
      const aurora = await demoTenant(world.at, 'aurora')
      await useTenant(world, aurora)
      const before = await shownFacts(world)
      const opened = await openScreens(world)
      expect(await shownFacts(world)).toEqual(before)
      const twice = opened.flatMap(({ address, calls }) =>
        calls
          .filter((call, index) => calls.indexOf(call) !== index && !RENEWED.test(call))
          .map((call) => `${address} asks again: ${call}`),
      )
      expect(twice).toEqual([])
      const withOverview = opened.filter(({ calls }) => calls.some((call) => /overview/.test(call)))
      expect([...new Set(withOverview.map(({ label }) => label))]).toEqual(WITH_OVERVIEW)
    },
    patiently(120_000),
  )
})

/** Makes the requests of an application: a session, a code, a refused request and an object. */
async function useTenant({ at }: InspectorWorld, aurora: DemoTenant): Promise<void> {
  const headers = { apikey: aurora.anonKey }
  const signIn = { email: 'silva@aurora.test', password: 'aurora-silva' }
  const token = await storageToken(at, aurora.serviceRoleKey)
  const answers = [
    await at.call('POST', '/auth/v1/signin', { headers, body: signIn }),
    await at.call('POST', '/auth/v1/otp/send', { headers, body: { email: ANA, channel: 'email' } }),
    await aurora.patch('/rooms?id=eq.1', aurora.anonKey, { name: 'x' }),
    await at.call('POST', `/storage/v1/object/${DOCUMENTS}/note.txt`, {
      credential: token,
      headers: { 'content-type': 'text/plain' },
      body: 'note',
    }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 200])
}

/** Reads tokens, sessions, messages, totals of requests and sizes. Omits results of audits, which a screen may add. */
async function shownFacts({ at }: InspectorWorld): Promise<Json> {
  const read = async (path: string): Promise<Json> => {
    const { body, status } = await at.call('GET', API + path)
    expect([path, status]).toEqual([path, 200])
    return body
  }
  const groups = async (): Promise<Json> => (await read('/overview')).groups
  // Each request makes the emulator read the sizes of a few more tenants.
  await untilAsync(async () => (await read('/overview')).unread === 0)
  for (const { id } of await groups())
    await untilAsync(async () => {
      const { body } = await at.call('POST', `${API}/groups/${id}/fleet/survey`)
      return body.unread === 0
    })
  const home = await read('/home')
  const { users } = await read('/projects/aurora/users')
  return {
    expiries: (await read('/clock/expiries')).expiries,
    mailbox: await read('/mailbox'),
    requests: (await read('/journal/facets?from_inspector=false')).total,
    totals: home.requests,
    services: home.services.filter(({ service }: Json) => service !== 'database'),
    problems: home.problems.filter(({ kind }: Json) => kind !== 'finding'),
    users: await Promise.all(users.map(({ id }: Json) => read(`/projects/aurora/users/${id}`))),
    groups: await groups(),
    storage: await read('/storage'),
    tables: await read('/projects/aurora/tables'),
    realtime: await read('/projects/aurora/realtime'),
    changes: await read('/projects/aurora/realtime/changes'),
    snapshots: await read('/snapshots'),
  }
}

interface Opened {
  readonly address: string
  readonly label: string
  /** Requests to the emulator's own API, in order. */
  readonly calls: readonly string[]
}

/** Opens each screen as the owner, then each screen of a tenant as a user. */
async function openScreens(world: InspectorWorld): Promise<readonly Opened[]> {
  const opened: Opened[] = []
  // Opens a page first, because the first page also loads the data that all screens share.
  const { page } = await world.open('/clock')
  const traffic = watchTraffic(page)
  for (const { path, label } of [...SCREENS, ...AS_ANA]) {
    const address = path.replace('$tenant', 'aurora')
    traffic.begin()
    await world.open(address)
    await page.getByRole('heading', { level: 1, name: label }).waitFor()
    await loaded(page)
    await until(() => traffic.isQuiet())
    opened.push({ address, label, calls: traffic.calls() })
  }
  return opened
}

function watchTraffic(page: Page): {
  readonly begin: () => void
  readonly isQuiet: () => boolean
  readonly calls: () => readonly string[]
} {
  let calls: string[] = []
  const underWay = new Set<Request>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === `${API}/events`) return
    underWay.add(request)
    if (pathname.startsWith(`${API}/`))
      calls.push(
        `${request.method()} ${pathname.slice(API.length)}${search} ${request.postData() ?? ''}`,
      )
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  return {
    begin: () => {
      calls = []
    },
    isQuiet: () => underWay.size === 0,
    calls: () => calls,
  }
}
