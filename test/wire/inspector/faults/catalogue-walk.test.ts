// Injects every code of docs/wire/errors.md, and checks the documented status, body and state of the platform. Then injects every
// code of the emulator's own catalogue, on every operation that documents it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StorageWorld, startStorageWorld } from '../../../support/storage-world.ts'
import { type Answer, type Json, provisionTenant } from '../../../support/test-emulator.ts'

let world: StorageWorld
beforeAll(async () => {
  world = await startStorageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const api = (method: string, path: string, body?: object): Promise<Answer<Json>> =>
  world.at.call(method, `/_emulator/v1${path}`, body === undefined ? {} : { body })

/**
 * Arms an error for the next request of the operation. Returns the fault's id. Uses no socket, because sockets would take half of
 * the test's time.
 */
async function arm(operation: string, code: string): Promise<string> {
  const order = { scope: { operation }, effect: { kind: 'error', code }, count: 1 }
  const armed = await world.at.emulator.fetch(
    new Request(`${world.at.url}/_emulator/v1/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    }),
  )
  const fault: Json = await armed.json()
  expect(armed.status, JSON.stringify(fault)).toBe(201)
  return fault.id
}

// The errors of docs/wire/errors.md#management. The body has the shape {error: {code, message}}.
const MANAGEMENT: readonly [status: number, code: string, operation: string][] = [
  [400, 'invalid_slug', 'tenant.provision'],
  [400, 'slug_reservado', 'tenant.provision'],
  [400, 'confirmation_required', 'tenant.purge'],
  [401, 'unauthorized', 'tenant.provision'],
  [401, 'unauthorized', 'group.list'],
  [402, 'tenant_quota_exceeded', 'tenant.provision'],
  [402, 'tenant_limit_reached', 'tenant.provision'],
  [403, 'forbidden', 'tenant.list'],
  [409, 'slug_taken', 'tenant.provision'],
  [409, 'template_protected', 'tenant.purge'],
  [409, 'template_indisponivel', 'tenant.provision'],
  [409, 'fonte_indisponivel', 'template.publish'],
  // The following codes are not in docs/wire/errors.md.
  [409, 'group_has_tenants', 'group.delete'],
  [404, 'not_found', 'tenant.remove'],
  [500, 'clone_incompleto', 'template.publish'],
  [500, 'internal', 'tenant.provision'],
]

async function manage(operation: string): Promise<Answer<Json>> {
  const { at, group, tenant } = world
  const path = `/groups/v1/${group.id}`
  const credential = group.key
  switch (operation) {
    case 'tenant.provision':
      return at.call('POST', `${path}/tenants`, { credential, body: { slug: 'walked' } })
    case 'tenant.list':
      return at.call('GET', `${path}/tenants`, { credential })
    case 'tenant.remove':
      return at.call('DELETE', `${path}/tenants/${tenant.slug}`, { credential })
    case 'tenant.purge':
      return at.call('DELETE', `${path}/tenants/${tenant.slug}/purge`, {
        credential,
        body: { confirm_slug: tenant.slug },
      })
    case 'template.publish':
      return at.call('POST', `${path}/template/publish`, { credential })
    case 'group.delete':
      return at.call('DELETE', `/platform/v1/groups/${group.id}`, { credential: at.session })
    default:
      return at.call('GET', '/platform/v1/groups', { credential: at.session })
  }
}

const tenants = async (): Promise<readonly string[]> =>
  (
    await world.at.call('GET', `/groups/v1/${world.group.id}/tenants?limit=200`, {
      credential: world.group.key,
    })
  ).body.tenants.map(({ slug }: Json) => slug)

describe('the documented management errors', () => {
  it.each(MANAGEMENT)('change no tenant: %i %s of %s', async (status, code, operation) => {
    const before = await tenants()
    const faultId = await arm(operation, code)
    const answer = await manage(operation)
    expect(answer.status).toBe(status)
    expect(answer.body.error).toEqual({ code, message: expect.stringMatching(/\S/) })
    expect(await tenants()).toEqual(before)
    const [entry] = (await api('GET', `/journal?search=${faultId}`)).body.entries
    expect(entry).toMatchObject({ fault: faultId, status, error_code: code })
  })

  it('include clone_incompleto, which creates and names an unusable template', async () => {
    await arm('template.publish', 'clone_incompleto')
    const { body } = await manage('template.publish')
    expect(body).toMatchObject({ project_id: expect.any(String), slug: expect.any(String) })
    const pointed = await world.at.call('PATCH', `/platform/v1/groups/${world.group.id}`, {
      credential: world.at.session,
      body: { template_project_id: `proj_${body.slug}` },
    })
    expect(pointed).toMatchObject({ status: 409 })
    expect(pointed.body.error.code).toBe('template_indisponivel')
  })

  it('allow the same slug to be provisioned after a 500', async () => {
    await arm('tenant.provision', 'internal')
    expect(await manage('tenant.provision')).toMatchObject({ status: 500 })
    expect(await manage('tenant.provision')).toMatchObject({ status: 201 })
  })

  it('include 202 pendente for a purge, which takes the tenant offline at once', async () => {
    const doomed = await provisionTenant(world.at, world.group, 'doomed')
    await arm('tenant.purge', 'pendente')
    const purged = await world.at.call(
      'DELETE',
      `/groups/v1/${world.group.id}/tenants/${doomed.slug}/purge`,
      { credential: world.group.key, body: { confirm_slug: doomed.slug } },
    )
    expect(purged).toMatchObject({
      status: 202,
      body: { ok: true, pendente: true, message: expect.any(String) },
    })
    expect(await tenants()).not.toContain('doomed')
  })
})

// docs/wire/storage.md#errors.
const STORAGE: readonly [status: number, code: string, operation: string, body: object][] = [
  [400, 'invalidKey', 'object.upload', { statusCode: '400', error: 'InvalidKey' }],
  [400, 'invalidJwt', 'object.download_signed', { error: 'InvalidJWT', code: 'InvalidJWT' }],
  [
    403,
    'rowRefused',
    'object.upload',
    { statusCode: '403', message: 'new row violates row-level security policy' },
  ],
  [401, 'directKey', 'object.upload', { statusCode: '401' }],
  [400, 'objectNotFound', 'object.sign', { error: 'not_found', statusCode: '404' }],
  [400, 'bucketNotFound', 'object.download_public', { error: 'Bucket not found' }],
  [402, 'storage_quota_exceeded', 'storage.token', { error: { code: 'storage_quota_exceeded' } }],
  [401, 'unauthorized', 'storage.token', { error: { code: 'unauthorized' } }],
  [401, 'unauthorized', 'realtime.token', { error: { code: 'unauthorized' } }],
]
const STORAGE_CALLS: Readonly<Record<string, string>> = {
  'object.upload': 'POST /storage/v1/object/proj_acme_b/name',
  'object.download_signed': 'GET /storage/v1/object/sign/proj_acme_b/name?token=x',
  'object.sign': 'POST /storage/v1/object/sign/proj_acme_b/name',
  'object.download_public': 'GET /storage/v1/object/public/proj_acme_b/name',
  'storage.token': 'POST /st/v1/token',
  'realtime.token': 'POST /rt/v1/token',
}

describe('the documented storage and token errors', () => {
  it.each(STORAGE)('are produced as %i %s of %s', async (status, code, operation, body) => {
    await arm(operation, code)
    const [method = '', path = ''] = (STORAGE_CALLS[operation] ?? '').split(' ')
    const answer = await world.at.call(method, path, { credential: world.tokens.server })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject(body)
  })
})

/** Codes that arise only during the service's own work. The tests above cover them. */
const BY_STATE = new Set([
  'tenant.provision template_indisponivel',
  'tenant.provision internal',
  'template.publish fonte_indisponivel',
  'template.publish clone_incompleto',
  'template.publish_as_owner fonte_indisponivel',
  'template.publish_as_owner clone_incompleto',
  'tenant.purge pendente',
])
/** Operations that send storage's logical status, such as 404. The catalogue has the HTTP status, which is mostly 400. */
const LOGICAL = /^(s3|upload)\./

interface Attempt {
  readonly operation: string
  readonly code: string
  readonly request: Request
  readonly status: number
}

/** Builds one request for each code of each HTTP operation. */
async function attempts(): Promise<readonly Attempt[]> {
  const { operations, errors } = (await api('GET', '/faults/catalogue')).body
  const statuses = new Map<string, number>(
    errors.map(({ service, code, status }: Json) => [`${service} ${code}`, status]),
  )
  return operations
    .filter(({ route, operation }: Json) => route !== null && operation !== 'socket.open')
    .flatMap(({ service, operation, route, codes }: Json) => {
      const [methods = '', path = ''] = route.split(/ (?=\/)/)
      const target = world.at.url + path.replace(/:\w+/g, 'x').replace(/\*$/, 'x/y')
      return codes.map((code: string) => ({
        operation,
        code,
        request: new Request(target, { method: methods.split(', ')[0] }),
        status: statuses.get(`${service} ${code}`),
      }))
    })
}

function isProduced({ operation, code, status }: Attempt, answered: number): boolean {
  if (LOGICAL.test(operation)) return answered >= 400
  // A permission error of an anonymous caller becomes 401.
  return answered === status || (code === '42501' && answered === 401)
}

describe('the fault catalogue', () => {
  it('lists no code that the operation cannot produce', async () => {
    const wrong: string[] = []
    const all = (await attempts()).filter(
      ({ operation, code }) => !BY_STATE.has(`${operation} ${code}`),
    )
    for (const attempt of all) {
      await arm(attempt.operation, attempt.code)
      const { status } = await world.at.emulator.fetch(attempt.request)
      if (!isProduced(attempt, status))
        wrong.push(`${attempt.operation} ${attempt.code}: ${status}, not ${attempt.status}`)
    }
    expect(wrong).toEqual([])
    expect(all.length).toBeGreaterThan(1_000)
    expect((await api('GET', '/faults')).body.faults).toEqual([])
  }, 120_000)
})
