// The traffic of the soak. Each lane is a client of one plane, which runs one operation after the other with pauses.
import { createHash } from 'node:crypto'
import pg from 'pg'
import type { ReadyTenant } from '../../../emulator/index.ts'
import type { Random } from '../random.ts'
import { requireThat } from '../scenario.ts'
import type { Ending } from './ledger.ts'
import { ask, askData, askStorage, bucketOf, type Stage } from './stage.ts'

export interface Lane {
  readonly name: string
  /** Wall-clock milliseconds between two operations. */
  readonly pauseMillis: number
  /** Runs one operation. @throws {Error} when an answer contradicts an acknowledged change */
  step(stage: Stage, random: Random): Promise<void>
}

/** The largest number of items of one kind per tenant. Lanes remove further items, so that memory and disk stay comparable. */
const MOST_THINGS = 60
const PASSWORD = 'correct horse'
const MOST_EXTRA_TENANTS = 4
let made = 0

export const digestOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 16)

const tenantFor = ({ tenants }: Stage, random: Random): ReadyTenant => random.pick(tenants)
const named = (tenant: ReadyTenant, key: string): string => `${tenant.slug}/${key}`
const keyOf = (name: string): string => name.slice(name.indexOf('/') + 1)

/** Chooses the next operation: adds the first item, removes above the limit, else chooses at random. */
function nextStep(things: readonly string[], random: Random): 'add' | 'change' | 'remove' | 'read' {
  if (things.length === 0) return 'add'
  if (things.length > MOST_THINGS) return 'remove'
  return random.pick(['add', 'add', 'change', 'remove', 'read', 'read'])
}

const restRows: Lane = {
  name: 'rows over REST',
  pauseMillis: 15,
  step: async (stage, random) => {
    const tenant = tenantFor(stage, random)
    const { rows } = stage
    const things = rows.settled(named(tenant, 'r'))
    const step = nextStep(things, random)
    if (step === 'add') {
      const key = `r${made++}`
      await rows.change(
        named(tenant, key),
        '1',
        async () => (await askData(stage, tenant, 'POST', '/entries', { k: key, v: '1' })).ending,
      )
      return
    }
    const name = random.pick(things)
    const path = `/entries?k=eq.${keyOf(name)}`
    if (step === 'read') return readRow(stage, tenant, name, path)
    const value = step === 'remove' ? undefined : `${Number(rows.certain(name)) + 1}`
    await rows.change(name, value, async () =>
      value === undefined
        ? (await askData(stage, tenant, 'DELETE', path)).ending
        : (await askData(stage, tenant, 'PATCH', path, { v: value })).ending,
    )
  },
}

async function readRow(
  stage: Stage,
  tenant: ReadyTenant,
  name: string,
  path: string,
): Promise<void> {
  const before = stage.rows.certain(name)
  const { ending, body } = await askData(stage, tenant, 'GET', path)
  const found = body?.[0]?.v
  // Another lane may have changed the row meanwhile.
  const isSame = found === before || stage.rows.allows(name, found)
  requireThat(ending !== 'done' || isSame, `the row ${name} reads ${found}, expected ${before}`)
}

const postgresRows: Lane = {
  name: 'rows over the Postgres port',
  pauseMillis: 400,
  step: async (stage, random) => {
    const tenant = tenantFor(stage, random)
    const [first, second] = [`p${made++}`, `p${made++}`]
    const isCommitted = !random.isLucky(4)
    const value = isCommitted ? 'pair' : undefined
    // One transaction writes both rows or none.
    await stage.rows.change(named(tenant, first), value, async () => {
      let ending: Ending = 'unknown'
      await stage.rows.change(named(tenant, second), value, async () => {
        ending = await inTransaction(stage, tenant, [first, second], isCommitted)
        return ending
      })
      return ending
    })
    const old = stage.rows.settled(named(tenant, 'p'))
    const [oldest] = old
    if (old.length <= MOST_THINGS || oldest === undefined) return
    await stage.rows.change(
      oldest,
      undefined,
      async () => (await askData(stage, tenant, 'DELETE', `/entries?k=eq.${keyOf(oldest)}`)).ending,
    )
  },
}

async function inTransaction(
  stage: Stage,
  tenant: ReadyTenant,
  keys: readonly string[],
  isCommitted: boolean,
): Promise<Ending> {
  stage.counts.operations += 1
  const client = new pg.Client({ connectionString: tenant.postgres_url ?? '' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('begin')
    for (const key of keys)
      await client.query("insert into entries (k, v) values ($1, 'pair')", [key])
    await client.query(isCommitted ? 'commit' : 'rollback')
    return 'done'
  } catch {
    return 'unknown'
  } finally {
    await client.end().catch(() => undefined)
  }
}

const storedObjects: Lane = {
  name: 'objects',
  pauseMillis: 60,
  step: async (stage, random) => {
    const tenant = tenantFor(stage, random)
    const { objects } = stage
    const things = objects.settled(named(tenant, 'o'))
    const step = nextStep(things, random)
    const name = step === 'add' ? named(tenant, `o${made++}.bin`) : random.pick(things)
    const path = `/object/${bucketOf(tenant)}/${keyOf(name)}`
    if (step === 'read') return readObject(stage, tenant, name, path)
    if (step === 'remove') {
      await objects.change(
        name,
        undefined,
        async () => (await askStorage(stage, tenant, 'DELETE', path)).ending,
      )
      return
    }
    // The object's bytes are text, because the shared client sends and reads only texts.
    const text = random.bytes(1 + random.below(6_000)).toString('hex')
    await objects.change(name, digestOf(Buffer.from(text)), async () => {
      const headers = { 'content-type': 'text/plain', 'x-upsert': 'true' }
      return (await askStorage(stage, tenant, 'POST', path, { body: text, headers })).ending
    })
  },
}

async function readObject(
  stage: Stage,
  tenant: ReadyTenant,
  name: string,
  path: string,
): Promise<void> {
  const before = stage.objects.certain(name)
  const { ending, text } = await askStorage(stage, tenant, 'GET', path)
  const found = digestOf(Buffer.from(text))
  const isSame = found === before || stage.objects.allows(name, found)
  requireThat(ending !== 'done' || isSame, `the object ${name} has other bytes than were stored`)
}

const signedInUsers: Lane = {
  name: 'users',
  pauseMillis: 150,
  step: async (stage, random) => {
    const tenant = tenantFor(stage, random)
    const known = stage.users.settled(named(tenant, 'u'))
    const sessions = stage.sessions.settled(named(tenant, 'u'))
    if (sessions.length < 2 || (known.length < 12 && random.isLucky(8)))
      return signUp(stage, tenant)
    await rotate(stage, tenant, random.pick(sessions))
  },
}

async function signUp(stage: Stage, tenant: ReadyTenant): Promise<void> {
  const email = `u${made++}@example.com`
  const name = named(tenant, email)
  let refreshToken: string | undefined
  await stage.users.change(name, 'here', async () => {
    const answer = await ask(stage, 'POST', '/auth/v1/signup', {
      headers: { apikey: tenant.anon_key },
      body: { email, password: PASSWORD },
    })
    refreshToken = answer.body?.refresh_token
    return answer.ending
  })
  if (refreshToken !== undefined)
    await stage.sessions.change(name, refreshToken, async () => 'done')
}

/** Exchanges the session's refresh token for the next one. Returns how the request ended. */
export async function rotate(stage: Stage, tenant: ReadyTenant, name: string): Promise<Ending> {
  const token = stage.sessions.certain(name)
  let next: string | undefined
  // Without an answer the client cannot know the next token, so the lane gives up the session.
  const ending = await stage.sessions.change(name, undefined, async () => {
    const answer = await ask(stage, 'POST', '/auth/v1/token/refresh', {
      headers: { apikey: tenant.anon_key },
      body: { refresh_token: token },
    })
    next = answer.body?.refresh_token
    return answer.ending === 'done' ? 'unknown' : answer.ending
  })
  if (next !== undefined) {
    await stage.sessions.change(name, next, async () => 'done')
    return 'done'
  }
  if (ending === 'unknown') await stage.sessions.change(name, undefined, async () => 'done')
  return ending
}

const changingTenants: Lane = {
  name: 'tenants',
  pauseMillis: 2_500,
  step: async (stage, random) => {
    const { slugs, group } = stage
    const extras = slugs.settled('extra')
    const credential = group.key
    const path = `/groups/v1/${group.id}/tenants`
    if (extras.length < MOST_EXTRA_TENANTS) {
      const slug = `extra${made++}`
      await slugs.change(
        slug,
        'active',
        async () => (await ask(stage, 'POST', path, { credential, body: { slug } })).ending,
      )
      return
    }
    const slug = random.pick(extras)
    const purge = async (): Promise<Ending> => {
      const body = { confirm_slug: slug }
      const answer = await ask(stage, 'DELETE', `${path}/${slug}/purge`, { credential, body })
      return answer.ending
    }
    const remove = async (): Promise<Ending> =>
      (await ask(stage, 'DELETE', `${path}/${slug}`, { credential })).ending
    if (slugs.certain(slug) === 'removed' || random.isLucky(2))
      await slugs.change(slug, undefined, purge)
    else await slugs.change(slug, 'removed', remove)
  },
}

/** The parallel lanes besides realtime. Lanes of REST rows and objects occur twice, because they make most of the traffic. */
export const LANES: readonly Lane[] = [
  restRows,
  restRows,
  postgresRows,
  storedObjects,
  storedObjects,
  signedInUsers,
  changingTenants,
]
