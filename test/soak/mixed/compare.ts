// Compares all data that the product's routes return with the acknowledged changes, and the stored blobs with their records.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadyTenant } from '../../../emulator/index.ts'
import { digestOf, rotate } from './lanes.ts'
import { ask, askData, askStorage, bucketOf, type Reply, type Stage } from './stage.ts'

const PAGE = 1_000
/** The number of sessions per tenant whose refresh token is tested. */
const TRIED_SESSIONS = 2

/** Compares all tenants. Returns one sentence for each difference. */
export async function compareAll(stage: Stage): Promise<readonly string[]> {
  const differences = [...(await compareTenants(stage))]
  let objects = 0
  for (const tenant of stage.tenants) {
    differences.push(...(await compareRows(stage, tenant)))
    differences.push(...(await compareUsers(stage, tenant)))
    const found = await storedObjects(stage, tenant)
    objects += found.size
    differences.push(...stage.objects.compare(`${tenant.slug}/`, found))
    differences.push(...(await compareSessions(stage, tenant)))
  }
  return [...differences, ...compareBlobs(stage, objects)]
}

function answered(reply: Reply, what: string): Reply {
  if (reply.ending !== 'done') throw new Error(`${what}: ${reply.status} ${reply.text}`)
  return reply
}

// Also reports half-made tenants: tenants in a transitional state, and listed tenants without tables.
async function compareTenants(stage: Stage): Promise<readonly string[]> {
  const overview = answered(await ask(stage, 'GET', '/_emulator/v1/overview'), 'the overview').body
  const group = overview.groups.find(({ id }: { id: string }) => id === stage.group.id)
  const found = new Map<string, string>()
  const differences: string[] = []
  for (const { slug, state } of [...group.tenants, ...group.removed_tenants]) {
    const isRemoved = group.removed_tenants.some((each: { slug: string }) => each.slug === slug)
    found.set(slug, isRemoved ? 'removed' : 'active')
    if (!/^(active|deleted|removed)$/.test(state)) differences.push(`tenant ${slug} is ${state}`)
  }
  for (const { slug, anon_key: apikey, service_role_key: credential } of stage.all) {
    if (found.get(slug) !== 'active') continue
    const headers = { apikey }
    const read = await ask(stage, 'GET', '/entries?limit=1', { credential, headers })
    if (read.status !== 200) differences.push(`tenant ${slug} answers ${read.status} ${read.text}`)
  }
  return [...differences, ...stage.slugs.compare('', found)]
}

async function compareRows(stage: Stage, tenant: ReadyTenant): Promise<readonly string[]> {
  const found = new Map<string, string>()
  for (let offset = 0; ; offset += PAGE) {
    const path = `/entries?select=k,v&order=k&limit=${PAGE}&offset=${offset}`
    const { body } = answered(await askData(stage, tenant, 'GET', path), `rows of ${tenant.slug}`)
    for (const { k, v } of body) found.set(`${tenant.slug}/${k}`, v)
    if (body.length < PAGE) return stage.rows.compare(`${tenant.slug}/`, found)
  }
}

async function compareUsers(stage: Stage, tenant: ReadyTenant): Promise<readonly string[]> {
  const path = `/_emulator/v1/projects/${tenant.slug}/users?limit=200`
  const { body } = answered(await ask(stage, 'GET', path), `users of ${tenant.slug}`)
  const names = body.users.map(({ email }: { email: string }) => `${tenant.slug}/${email}`)
  return stage.users.compare(
    `${tenant.slug}/`,
    new Map(names.map((name: string) => [name, 'here'] as const)),
  )
}

/** Returns the digests of all listed objects. An object without bytes has no digest. */
async function storedObjects(
  stage: Stage,
  tenant: ReadyTenant,
): Promise<ReadonlyMap<string, string>> {
  const bucket = bucketOf(tenant)
  const list = await askStorage(stage, tenant, 'POST', `/object/list/${bucket}`, {
    body: { prefix: '', limit: PAGE },
  })
  const found = new Map<string, string>()
  for (const { name } of answered(list, `objects of ${tenant.slug}`).body) {
    const got = await askStorage(stage, tenant, 'GET', `/object/${bucket}/${name}`)
    const digest =
      got.ending === 'done' ? digestOf(Buffer.from(got.text)) : `no bytes (${got.status})`
    found.set(`${tenant.slug}/${name}`, digest)
  }
  return found
}

async function compareSessions(stage: Stage, tenant: ReadyTenant): Promise<readonly string[]> {
  const differences: string[] = []
  for (const name of stage.sessions.settled(`${tenant.slug}/`).slice(0, TRIED_SESSIONS))
    if ((await rotate(stage, tenant, name)) === 'refused')
      differences.push(`the last refresh token of ${name} is refused`)
  return differences
}

// Counts the blobs. The product's start has removed blobs without a record, and no object was stored since.
function compareBlobs({ dataDir }: Stage, objects: number): readonly string[] {
  const root = join(dataDir, 'blobs')
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const blobs = folders.flatMap(({ name }) => readdirSync(join(root, name)))
  return blobs.length === objects ? [] : [`${blobs.length} blobs for ${objects} objects`]
}
