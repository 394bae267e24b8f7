// After random actions, the screens, the API, the command line and the platform's own routes show the same numbers.
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { runCli } from '../../support/cli-run.ts'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeOwnInspector, type InspectorWorld } from '../../support/describe-inspector.ts'
import { storageToken } from '../../support/storage-world.ts'
import { type Json, userToken } from '../../support/test-emulator.ts'

const API = '/_emulator/v1/projects/aurora'
const ANA = { kind: 'user', user: 'ana@patients.test' } as const

const ACTIONS = ['publish', 'draft', 'delete', 'refuse', 'add_user', 'upload'] as const
type Action = (typeof ACTIONS)[number]

const HISTORIES = fc.sample(
  fc.array(fc.constantFrom(...ACTIONS), { minLength: 6, maxLength: 10 }),
  { seed: 20_261_128, numRuns: 2 },
)

/** The same number from several sources. The key names the source, such as a screen or a command. */
type Said = Readonly<Record<string, number>>

describeOwnInspector('the numbers of the inspector', (world) => {
  it.each(HISTORIES.map((actions, index) => [actions.join(', '), index, actions] as const))(
    'are the same on all screens, in the API, in the CLI and in SQL after %s',
    async (_, index, actions) => {
      const aurora = await demoTenant(world.at, 'aurora')
      for (const [step, action] of actions.entries())
        await act(world, aurora, action, `${index}-${step}`)
      const said = {
        'all rows': await allRows(world, aurora),
        'rows of ana': await rowsOfAna(world, aurora),
        users: await usersSaid(world, aurora),
        'stored objects': await objectsSaid(world),
        'refused requests': await refusalsSaid(world),
      }
      for (const [fact, places] of Object.entries(said)) {
        const [first] = Object.values(places)
        expect([fact, places]).toEqual([
          fact,
          Object.fromEntries(Object.keys(places).map((place) => [place, first])),
        ])
      }
    },
  )
})

async function act(
  { at }: InspectorWorld,
  aurora: DemoTenant,
  action: Action,
  name: string,
): Promise<void> {
  if (action === 'publish' || action === 'draft')
    await aurora.execute(
      `insert into announcements (title, body, is_public) values ('${name}', '', ${action === 'publish'})`,
    )
  if (action === 'delete')
    await aurora.execute('delete from announcements where id = (select min(id) from announcements)')
  if (action === 'refuse') {
    const refused = await aurora.get('/rooms', aurora.anonKey.replace(/.$/, '#'))
    expect(refused.status).toBe(401)
  }
  if (action === 'add_user')
    await at.call('POST', `${API}/users`, { body: { email: `${name}@people.test` } })
  if (action === 'upload') {
    const token = await storageToken(at, aurora.serviceRoleKey)
    const stored = await at.call('POST', `/storage/v1/object/${BUCKET}/${name}.txt`, {
      credential: token,
      headers: { 'content-type': 'text/plain' },
      body: name,
    })
    expect(stored.status).toBe(200)
  }
}

async function allRows(world: InspectorWorld, aurora: DemoTenant): Promise<Said> {
  const { at } = world
  const { tables } = (await at.call('GET', `${API}/tables`)).body
  const audit = (await at.call('POST', `${API}/audit`, { body: {} })).body
  const counted = await at.call('POST', `${API}/sql`, {
    body: { sql: 'select count(*) from announcements', identity: 'owner' },
  })
  const { page } = await world.open('/t/aurora/tables/announcements')
  const rail = page.getByRole('navigation', { name: 'Tables' })
  return {
    'GET tables': named(tables, 'announcements').rows,
    'POST audit': named(audit.tables, 'announcements').total,
    'tenantry audit': named((await auditByCommand(world)).tables, 'announcements').total,
    'POST sql': Number(counted.body.results[0].rows[0][0]),
    'REST host': await restCount(world, aurora, aurora.serviceRoleKey),
    'list of tables': await numberIn(rail.getByRole('link', { name: /^announcements/ })),
    'head of the table': await numberIn(page.getByText(/^\d+ rows?$/)),
  }
}

async function rowsOfAna(world: InspectorWorld, aurora: DemoTenant): Promise<Said> {
  const { at } = world
  const body = { identity: ANA }
  const readable = (await at.call('POST', `${API}/explain/tables`, { body })).body
  const explained = (
    await at.call('POST', `${API}/explain`, {
      body: { ...body, relation: 'announcements', command: 'select' },
    })
  ).body
  const audit = (await at.call('POST', `${API}/audit`, { body: {} })).body
  const { page } = await world.open(`/t/aurora/tables/announcements?as=user%3A${ANA.user}`)
  const visible = await numberIn(page.getByTestId('visible-count'))
  const cell = (await world.open('/t/aurora/audit', { isFresh: true })).page.getByLabel(
    /^ana@patients\.test, announcements: /,
  )
  const token = await userToken(at, 'aurora', ANA.user)
  return {
    'POST explain/tables': named(readable.tables, 'announcements').visible,
    'POST explain': explained.allowed_total,
    'POST audit': cellOf(audit, ANA.user),
    'tenantry audit': cellOf(await auditByCommand(world), ANA.user),
    'REST host': await restCount(world, aurora, token),
    'Tables as ana': visible,
    'cell of Audit': await numberIn(cell),
  }
}

async function usersSaid(world: InspectorWorld, aurora: DemoTenant): Promise<Said> {
  const { at } = world
  const overview = (await at.call('GET', '/_emulator/v1/overview')).body
  const tenants = overview.groups.flatMap(({ tenants: all }: Json) => all)
  const counted = await at.call('POST', `${API}/sql`, {
    body: { sql: 'select count(*) from auth_users', identity: 'owner' },
  })
  const { page } = await world.open('/t/aurora/users', { isFresh: true })
  const heading = page.getByRole('heading', { level: 1, name: 'Users' })
  return {
    'GET users': (await at.call('GET', `${API}/users?limit=1`)).body.total,
    'GET overview': tenants.find(({ slug }: Json) => slug === aurora.slug).users,
    'POST sql': Number(counted.body.results[0].rows[0][0]),
    'head of Users': await numberIn(heading.locator('xpath=following-sibling::*[1]')),
  }
}

async function objectsSaid(world: InspectorWorld): Promise<Said> {
  const { projects } = (await world.at.call('GET', '/_emulator/v1/storage')).body
  const own = projects.find(({ slug }: Json) => slug === 'aurora')
  const { page } = await world.open('/t/aurora/storage', { isFresh: true })
  const usage = page.getByRole('listitem').filter({ hasText: /documents.*\d+ objects?/s })
  const [, shown] = /(\d+) objects?/.exec(await usage.first().innerText()) ?? []
  return {
    'GET storage': own.buckets.find(({ bucket }: Json) => bucket === BUCKET).objects,
    Storage: Number(shown),
  }
}

async function refusalsSaid(world: InspectorWorld): Promise<Said> {
  const { at } = world
  const facets = '/_emulator/v1/journal/facets?refused=true&from_inspector=false'
  const home = (await at.call('GET', '/_emulator/v1/home')).body
  const { refused } = (await at.call('GET', '/_emulator/v1/journal/refusals')).body
  const { page } = await world.open('/', { isFresh: true })
  const onHome = await numberIn(page.getByText(/\d+ of \d+ requests refused/))
  await page.goto(`${world.url}/requests`)
  return {
    'GET journal/facets': (await at.call('GET', facets)).body.total,
    'GET journal/refusals': refused,
    'tenantry logs': (
      await linesOf(world, 'logs', '--refused', '--last', '100', '--no-follow')
    ).filter(({ is_from_inspector: isOwn }) => isOwn !== true).length,
    'GET home': home.requests.refused,
    Home: onHome,
    Requests: await numberIn(page.getByRole('button', { name: /^Refused \d/ })),
  }
}

const BUCKET = 'proj_aurora_documents'

/** The number of rows that the REST API counts for a credential. */
async function restCount(
  { at }: InspectorWorld,
  { anonKey, schemaName }: DemoTenant,
  credential: string,
): Promise<number> {
  const { headers } = await at.call('GET', '/announcements', {
    credential,
    headers: { apikey: anonKey, 'accept-profile': schemaName, prefer: 'count=exact' },
  })
  return Number(headers.get('content-range')?.split('/')[1])
}

async function auditByCommand(world: InspectorWorld): Promise<Json> {
  const [answer] = await linesOf(world, 'audit', '--tenant', 'aurora', '--fail-on', 'never')
  return answer.tenants[0]
}

/** The lines of JSON that a command prints. */
async function linesOf({ at }: InspectorWorld, ...args: readonly string[]): Promise<Json[]> {
  const { stdout } = await runCli([...args, '--url', at.url, '--json']).ended
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** The rows of `announcements` that an audit counted for an identity. */
function cellOf({ identities, tables }: Json, who: string): number {
  const column = identities.findIndex(({ label }: Json) => label === who)
  return named(tables, 'announcements').cells[column].rows
}

function named(list: readonly Json[], name: string): Json {
  return list.find((one) => one.name === name)
}

/** The first number that an element shows. */
async function numberIn(element: ReturnType<Page['getByText']>): Promise<number> {
  await element.first().waitFor()
  const text = await element.first().innerText()
  return Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''))
}
