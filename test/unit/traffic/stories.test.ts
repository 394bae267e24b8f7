// The stories of the package, recorded with one emulator and compared with another. The stories cover every plane, every kind of
// identity, and secrets that reach an application by e-mail.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SystemClock } from '../../../emulator/core/clock.ts'
import type { ReadyGroup, ReadyTenant } from '../../../emulator/index.ts'
import { createHttpClient } from '../../../emulator/platform/http-client/http-client.ts'
import { reachEmulator } from '../../../emulator/platform/http-client/running-emulator.ts'
import { comparisonOf } from '../../../emulator/workflow/traffic/compare/comparison.ts'
import type { HarEntry } from '../../../emulator/workflow/traffic/har/har.ts'
import { platformAt } from '../../../emulator/workflow/traffic/replay/platform-at.ts'
import { recordedBasesOf, replay } from '../../../emulator/workflow/traffic/replay/replay.ts'
import { currentCode } from '../../support/authenticator.ts'
import { nextMessage } from '../../support/mailbox.ts'
import { startRecordingProxy } from '../../support/recording-proxy.ts'
import {
  callsTo,
  type Json,
  startTestEmulator,
  type TestEmulator,
} from '../../support/test-emulator.ts'

const http = createHttpClient({ wallClock: new SystemClock() })

const STORIES = ['clinics', 'shop', 'quota-edge']

let entries: readonly HarEntry[]
let hosted: TestEmulator
beforeAll(async () => {
  hosted = await startTestEmulator()
  for (const story of STORIES) await hosted.emulator.applyFixture(story)
  await using proxy = await startRecordingProxy(hosted.url)
  const { groups, platform } = await hosted.emulator.ready(hosted.url)
  const through = callsTo(proxy.url)
  for (const group of groups) {
    await manage(through, group)
    for (const tenant of group.tenants) await visit(through, tenant)
  }
  await useAccount(through, platform, groups[0])
  const [aurora] = groups.flatMap(({ tenants }) => tenants)
  if (aurora !== undefined) await signInInEveryWay(through, aurora, proxy.url)
  entries = proxy.entries
})
afterAll(() => hosted[Symbol.asyncDispose]())

type Calls = TestEmulator['call']

/** Sends the requests of a vendor's backend to its group. */
async function manage(call: Calls, { group_api_key: credential, id }: ReadyGroup): Promise<void> {
  await call('GET', `/groups/v1/${id}`, { credential })
  const { body } = await call<Json>('GET', `/groups/v1/${id}/tenants`, { credential })
  await call('GET', `/groups/v1/${id}/tenants/${body.tenants[0].id}`, { credential })
  await call('GET', `/groups/v1/${id}/tenants/nobody`, { credential })
  // The story quota-edge injects a fault that loses this answer.
  const slug = `new_${body.tenants[0].slug}`
  const provision = { credential, body: { slug, external_id: 'customer-9' } }
  const made = await call('POST', `/groups/v1/${id}/tenants`, provision).catch(() => undefined)
  if (made?.status !== 201) return
  await call('POST', `/groups/v1/${id}/tenants`, provision)
  const key = await call<Json>('POST', `/groups/v1/${id}/tenants/${slug}/keys`, {
    credential,
    body: { label: 'replayed', expires_in_days: 1 },
  })
  const { project_id: project } = claimsOf((made.body as Json).anon_key)
  await call('POST', `/platform/v1/projects/${project}/db/exec`, {
    credential: key.body.key,
    body: {
      sql: 'create table things (id bigint generated always as identity primary key, made_at timestamptz default now())',
    },
  })
  await call('POST', `/platform/v1/projects/${project}/db/exec`, {
    credential: key.body.key,
    body: { sql: 'insert into things default values returning *' },
  })
  await call('DELETE', `/groups/v1/${id}/tenants/${slug}/purge`, {
    credential,
    body: { confirm_slug: slug },
  })
}

/** Reads every table and bucket of a tenant with the anon key, as the tenant's users and with the service_role key. */
async function visit(call: Calls, tenant: ReadyTenant): Promise<void> {
  const { anon_key: apikey, schema_name: schema, service_role_key: service } = tenant
  const headers = { apikey, 'accept-profile': schema }
  const described = await call<Json>('GET', '/', { credential: service, headers })
  const paths = Object.keys(described.body.paths).filter((path) => /^\/\w+$/.test(path))
  const bearers = [apikey, service]
  for (const { email, password } of tenant.users) {
    const session = await call<Json>('POST', '/auth/v1/signin', {
      headers: { apikey },
      body: { email, password },
    })
    bearers.push(session.body.data_plane_token)
  }
  for (const credential of bearers) {
    for (const path of paths) await call('GET', `${path}?limit=3`, { credential, headers })
    const exchange = await call<Json>('POST', '/st/v1/token', { credential })
    if (exchange.status === 200) await useStorage(call, schema, exchange.body.token)
  }
  const management = { credential: tenant.management_key }
  const sql = 'select count(*) from auth_users'
  await call('POST', `/platform/v1/projects/${tenant.project_id}/db/exec`, {
    ...management,
    body: { sql },
  })
  await call('GET', `/platform/v1/projects/${tenant.project_id}/buckets`, management)
}

async function useStorage(call: Calls, schema: string, credential: string): Promise<void> {
  const storage = (method: string, path: string, body?: unknown, headers = {}) =>
    call<Json>(method, `/storage/v1${path}`, {
      credential,
      headers,
      ...(body === undefined ? {} : { body }),
    })
  const { body: buckets } = await storage('GET', '/bucket')
  for (const { id } of Array.isArray(buckets) ? buckets : []) {
    const { body: listed } = await storage('POST', `/object/list-v2/${id}`, { limit: 1 })
    if (listed.nextCursor !== undefined)
      await storage('POST', `/object/list-v2/${id}`, { limit: 1, cursor: listed.nextCursor })
    for (const { name } of listed.objects ?? []) {
      await storage('GET', `/object/info/${id}/${name}`)
      const { body: signed } = await storage('POST', `/object/sign/${id}/${name}`, {
        expiresIn: 60,
      })
      if (signed.signedURL !== undefined) await storage('GET', signed.signedURL)
      const found = await storage('GET', `/object/${id}/${name}`, undefined, { range: 'bytes=0-9' })
      const etag = found.headers.get('etag')
      if (etag !== null)
        await storage('GET', `/object/${id}/${name}`, undefined, { 'if-none-match': etag })
    }
  }
  const bucket = `${schema}_documents`
  const started = await storage('POST', '/upload/resumable', undefined, {
    'tus-resumable': '1.0.0',
    'upload-length': '5',
    'x-upsert': 'true',
    'upload-metadata': `bucketName ${btoa(bucket)},objectName ${btoa('resumed.txt')},contentType ${btoa('text/plain')}`,
  })
  const location = started.headers.get('location')
  if (location === null) return
  await call('PATCH', new URL(location).pathname, {
    credential,
    body: 'hello',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
  })
}

/** Sends the requests of a vendor who uses the dashboard. */
async function useAccount(
  call: Calls,
  account: { readonly email: string; readonly password: string },
  group: ReadyGroup | undefined,
): Promise<void> {
  const refused = { ...account, password: 'not this one' }
  await call('POST', '/platform/v1/session', { body: refused })
  const { email, password } = account
  const { body } = await call<Json>('POST', '/platform/v1/session', { body: { email, password } })
  const credential = body.session_token
  await call('GET', '/platform/v1/projects', { credential })
  await call('GET', `/platform/v1/groups/${group?.id}`, { credential })
  const key = await call<Json>('POST', `/platform/v1/groups/${group?.id}/keys`, {
    credential,
    body: { label: 'ci' },
  })
  await call('GET', `/groups/v1/${group?.id}`, { credential: key.body.key })
  await call('DELETE', `/platform/v1/groups/${group?.id}/keys/${key.body.id}`, { credential })
  await call('GET', `/groups/v1/${group?.id}`, { credential: key.body.key })
}

async function signInInEveryWay(
  call: Calls,
  { anon_key: apikey }: ReadyTenant,
  url: string,
): Promise<void> {
  const email = 'new@patients.test'
  const auth = (path: string, body: unknown, token?: string) =>
    call<Json>('POST', `/auth/v1${path}`, {
      headers: { apikey },
      body,
      ...(token === undefined ? {} : { credential: token }),
    })
  const mail = (to: string): Promise<Json> => nextMessage({ at: hosted }, to)
  await auth('/signup', { email, password: 'short' })
  const { body: first } = await auth('/signup', {
    email,
    password: 'correct horse',
    data: { full_name: 'New' },
  })
  await auth('/signup', { email, password: 'correct horse' })
  await auth('/signin', { email, password: 'correct horse' })
  await auth('/otp/send', { email, channel: 'email' })
  await auth('/otp/verify', { email, code: '000000' })
  await auth('/otp/verify', { email, code: (await mail(email)).code })
  await auth('/signin/magic-link', { email, redirect_to: 'http://localhost:3000/' })
  const link = new URL((await mail(email)).link)
  await fetch(url + link.pathname + link.search, { redirect: 'manual' })
  await auth('/password/forgot', { email, redirect_to: 'http://localhost:3000/' })
  const token = /token=([\w-]+)/.exec((await mail(email)).link)?.[1]
  await auth('/password/reset', { token, new_password: 'battery staple' })
  await auth('/password/reset', { token, new_password: 'battery staple' })
  const { body: session } = await auth('/signin', { email, password: 'battery staple' })
  const { body: factor } = await auth('/mfa/enroll', { factorType: 'totp' }, session.access_token)
  const code = await currentCode({ at: hosted }, factor.secret)
  await auth('/mfa/verify', { factorId: factor.id, code }, session.access_token)
  await auth('/token/refresh', {
    refresh_token: first.session?.refresh_token ?? first.refresh_token,
  })
  await auth('/token/refresh', { refresh_token: 'unknown' })
  const authorized = await call<Json>(
    'GET',
    `/auth/v1/authorize/google?return=json&redirect_to=http://localhost:3000/&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`,
    { headers: { apikey } },
  )
  expect(authorized.status).toBe(200)
}

function claimsOf(token: string): Json {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

describe('a comparison of the stories', () => {
  it.each(['once', 'twice'])('finds no difference between two emulators, %s', async () => {
    await using other = await startTestEmulator()
    for (const story of STORIES) await other.emulator.applyFixture(story)
    const comparison = comparisonOf(
      await replay({
        entries,
        recordedBases: recordedBasesOf(entries, {}),
        maxBodyBytes: 1 << 20,
        platform: await platformAt(other.url, reachEmulator(other.url, undefined, http), http),
      }),
    )
    const differences = comparison.differences.map(
      ({ at, method, recorded, replayed, target }) =>
        `${method} ${target} ${at}: ${recorded} → ${replayed}`,
    )
    expect({ differences, score: comparison.score }).toEqual({ differences: [], score: 100 })
    expect(comparison.endpoints.length).toBeGreaterThan(30)
  })
})
