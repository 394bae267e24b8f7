import { describe, expect, it } from 'vitest'
import { DAY_MILLIS } from '../../../../emulator/core/time.ts'
import { createControlWorld, setUpVendor } from '../control-world.ts'

const select = { sql: 'select 1' }

async function createWorldWithTenant(overrides = {}) {
  const world = createControlWorld(overrides)
  const vendor = await setUpVendor(world)
  await world.send(`POST ${vendor.tenants}`, vendor.groupKey, { slug: 'north' })
  const minted = await world.send(`POST ${vendor.tenants}/north/keys`, vendor.groupKey, {
    label: 'migrations',
    expires_in_days: 30,
  })
  return { world, vendor, minted, key: minted.body.key as string }
}

describe('management keys', () => {
  it('are minted by the group with label and expiry', async () => {
    const { minted } = await createWorldWithTenant()
    expect(minted).toMatchObject({
      status: 201,
      body: {
        id: expect.any(String),
        key: expect.stringMatching(/^sdb_pmk_[A-Za-z0-9_-]{43}$/),
        prefix: expect.stringMatching(/^sdb_pmk_/),
        label: 'migrations',
        expires_at: '2026-10-01T00:00:00.000Z',
      },
    })
  })

  it.each([
    { expires_in_days: 0 },
    { expires_in_days: '7' },
    { expires_in_days: 1.5 },
    { label: 7 },
  ])('are refused for %j', async (body) => {
    const { world, vendor } = await createWorldWithTenant()
    const answer = await world.send(`POST ${vendor.tenants}/north/keys`, vendor.groupKey, body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })

  it('are listed without clear text and revoked at once by the owner', async () => {
    const { world, vendor, minted, key } = await createWorldWithTenant()
    const path = '/platform/v1/projects/proj_north/db/keys'
    const listed = await world.send(`GET ${path}`, vendor.session)
    const revoked = await world.send(`DELETE ${path}/${minted.body.id}`, vendor.session)
    const used = await world.send('POST /platform/v1/projects/proj_north/db/exec', key, select)
    const again = await world.send(`DELETE ${path}/${minted.body.id}`, vendor.session)
    const { key: _clearText, ...shown } = minted.body
    expect(listed.body).toEqual([shown])
    expect([revoked.status, used.status, again.status]).toEqual([204, 401, 404])
  })

  it('are minted by the owner for the owner’s own project', async () => {
    const { world, vendor } = await createWorldWithTenant()
    const answer = await world.send(
      `POST /platform/v1/projects/${vendor.projectId}/db/keys`,
      vendor.session,
    )
    expect(answer).toMatchObject({ status: 201, body: { expires_at: null, label: null } })
  })

  it('are not minted for a tenant that was removed', async () => {
    const { world, vendor } = await createWorldWithTenant()
    await world.send(`DELETE ${vendor.tenants}/north`, vendor.groupKey)
    const answer = await world.send(`POST ${vendor.tenants}/north/keys`, vendor.groupKey)
    expect(answer.status).toBe(404)
  })
})

describe('POST /platform/v1/projects/:id/db/exec', () => {
  it('returns columns, rows and the duration', async () => {
    const { world, key } = await createWorldWithTenant()
    world.sql.outcome = {
      kind: 'done',
      columns: ['n'],
      rows: [{ n: 1 }],
      rowsAffected: 0,
      durationMillis: 3,
      advice: [
        {
          kind: 'rowSecurityOff',
          subject: 'notes',
          message: 'RLS desligada.',
          remedy: 'alter table notes enable row level security',
        },
      ],
    }
    const answer = await world.send('POST /platform/v1/projects/proj_north/db/exec', key, select)
    expect(answer.body).toEqual({
      columns: ['n'],
      rows: [{ n: 1 }],
      rows_affected: 0,
      duration_ms: 3,
      avisos: [
        {
          tipo: 'rls_desligada',
          objeto: 'notes',
          mensagem: 'RLS desligada.',
          como_corrigir: 'alter table notes enable row level security',
        },
      ],
    })
    expect(answer.facts).toMatchObject({ statement: 'select 1', credentialKind: 'managementKey' })
  })

  it('answers an SQL error with HTTP 200', async () => {
    const { world, key } = await createWorldWithTenant()
    world.sql.outcome = { kind: 'sqlError', code: '42P01', message: 'no such table', line: 2 }
    const answer = await world.send('POST /platform/v1/projects/proj_north/db/exec', key, select)
    expect(answer).toMatchObject({
      status: 200,
      body: { error: { code: '42P01', message: 'no such table', line: 2 } },
    })
  })

  it('accepts the session of the group’s owner', async () => {
    const { world, vendor } = await createWorldWithTenant()
    const answer = await world.send(
      'POST /platform/v1/projects/proj_north/db/exec',
      vendor.session,
      select,
    )
    expect(answer.status).toBe(200)
  })

  it.each([{}, { sql: '' }, { sql: 7 }, { sql: 'a\0b' }, { sql: ['select 1'] }])(
    'refuses %j',
    async (body) => {
      const { world, key } = await createWorldWithTenant()
      const answer = await world.send('POST /platform/v1/projects/proj_north/db/exec', key, body)
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
      expect(world.executed).toEqual([])
    },
  )

  it('answers 403 to a key of another project, also when the requested project does not exist', async () => {
    const { world, vendor, key } = await createWorldWithTenant()
    const known = await world.send(
      `POST /platform/v1/projects/${vendor.projectId}/db/exec`,
      key,
      select,
    )
    const unknown = await world.send('POST /platform/v1/projects/nowhere/db/exec', key, select)
    expect([known.status, unknown.status]).toEqual([403, 403])
  })

  it('answers 404 to a session that does not own the project', async () => {
    const { world } = await createWorldWithTenant()
    const other = await setUpVendor(world, { email: 'other@example.test', slug: 'foreign' })
    const answer = await world.send(
      'POST /platform/v1/projects/proj_north/db/exec',
      other.session,
      select,
    )
    expect(answer.status).toBe(404)
  })

  it('answers 403 for a project that was removed, to every caller', async () => {
    const { world, vendor, key } = await createWorldWithTenant()
    await world.send(`DELETE ${vendor.tenants}/north`, vendor.groupKey)
    const path = 'POST /platform/v1/projects/proj_north/db/exec'
    const byKey = await world.send(path, key, select)
    const bySession = await world.send(path, vendor.session, select)
    expect([byKey.status, bySession.status]).toEqual([403, 403])
  })

  it('answers 401 once the key has expired', async () => {
    const { world, key } = await createWorldWithTenant()
    world.clock.advance(30 * DAY_MILLIS)
    const answer = await world.send('POST /platform/v1/projects/proj_north/db/exec', key, select)
    expect(answer).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized', message: expect.stringContaining('expired') } },
    })
  })

  it('answers 401 to a Group API Key', async () => {
    const { world, vendor } = await createWorldWithTenant()
    const answer = await world.send(
      'POST /platform/v1/projects/proj_north/db/exec',
      vendor.groupKey,
      select,
    )
    expect(answer.status).toBe(401)
  })
})

describe('GET /platform/v1/projects/:id/db/connection-string', () => {
  it('answers the address of the Postgres port', async () => {
    const url = 'postgresql://127.0.0.1:5433/proj_north'
    const { world, key } = await createWorldWithTenant({ postgresUrl: async () => url })
    const answer = await world.send(
      'GET /platform/v1/projects/proj_north/db/connection-string',
      key,
    )
    expect(answer.body).toEqual({ connection_string: url })
  })

  it('answers 409 while no port is listening', async () => {
    const { world, key } = await createWorldWithTenant()
    const answer = await world.send(
      'GET /platform/v1/projects/proj_north/db/connection-string',
      key,
    )
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'postgres_unavailable' } } })
  })
})

describe('/platform/v1/projects/:id/buckets', () => {
  const path = '/platform/v1/projects/proj_north/buckets'

  it('creates a private bucket of 50 MB per file from the short name', async () => {
    const { world, key } = await createWorldWithTenant()
    const created = await world.send(`POST ${path}`, key, { name: 'exams' })
    const listed = await world.send(`GET ${path}`, key)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: 'proj_north_exams',
      name: 'proj_north_exams',
      public: false,
      file_size_limit: 52_428_800,
      created_at: '2026-09-01T00:00:00.000Z',
    })
    expect(listed.body).toEqual([created.body])
  })

  it('accepts visibility and limit', async () => {
    const { world, vendor } = await createWorldWithTenant()
    const answer = await world.send(`POST ${path}`, vendor.session, {
      name: 'logos',
      public: true,
      file_size_limit: 1_000,
    })
    expect(answer.body).toMatchObject({ public: true, file_size_limit: 1_000 })
  })

  it.each([
    {},
    { name: 7 },
    { name: 'a/b' },
    { name: 'x', public: 'yes' },
    { name: 'x', file_size_limit: -1 },
  ])('refuses %j', async (body) => {
    const { world, key } = await createWorldWithTenant()
    const answer = await world.send(`POST ${path}`, key, body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })

  it('answers 409 for a name that exists', async () => {
    const { world, key } = await createWorldWithTenant()
    await world.send(`POST ${path}`, key, { name: 'exams' })
    const answer = await world.send(`POST ${path}`, key, { name: 'exams' })
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'bucket_taken' } } })
  })
})
