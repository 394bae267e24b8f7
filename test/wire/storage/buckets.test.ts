// Buckets (docs/wire/storage.md#buckets), with the unmodified client.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StorageWorld, startStorageWorld, storageToken } from '../../support/storage-world.ts'
import { provisionTenant } from '../../support/test-emulator.ts'

let world: StorageWorld
beforeAll(async () => {
  world = await startStorageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const refusal = (
  http: number,
  statusCode: string,
  error: string,
  code: string,
  message: string,
) => ({
  status: http,
  body: { statusCode, error, code, message },
})
const bucketNotFound = refusal(400, '404', 'Bucket not found', 'NoSuchBucket', 'Bucket not found')
const rowRefused = refusal(
  403,
  '403',
  'Unauthorized',
  'AccessDenied',
  'new row violates row-level security policy',
)

describe('a bucket', () => {
  it('is created under its full name, and is returned with eight fields', async () => {
    const name = 'proj_acme_photos'
    expect(
      await world.client().createBucket(name, { public: true, fileSizeLimit: '20MB' }),
    ).toEqual({ data: { name }, error: null })
    const { data } = await world.client().getBucket(name)
    expect(data).toEqual({
      id: name,
      name,
      owner: '',
      public: true,
      file_size_limit: 20_000_000,
      allowed_mime_types: null,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    })
  })

  it('has no size limit when storage creates it, and 50 MB when the management plane creates it', async () => {
    const own = await world.freshBucket()
    const payload = Buffer.from(world.tenant.anonKey.split('.')[1] ?? '', 'base64url').toString()
    const projectId = JSON.parse(payload).project_id
    const made = await world.at.call('POST', `/platform/v1/projects/${projectId}/buckets`, {
      credential: world.at.session,
      body: { name: 'docs' },
    })
    expect(made.status).toBe(201)
    const limitOf = async (name: string) =>
      (await world.client().getBucket(name)).data?.file_size_limit
    expect([await limitOf(own), await limitOf('proj_acme_docs')]).toEqual([null, 52_428_800])
  })

  it('can be changed', async () => {
    const name = await world.freshBucket({ public: true })
    const changed = await world
      .client()
      .updateBucket(name, { public: false, allowedMimeTypes: ['image/*'], fileSizeLimit: 10 })
    expect(changed.data).toEqual({ message: 'Successfully updated' })
    expect((await world.client().getBucket(name)).data).toMatchObject({
      public: false,
      allowed_mime_types: ['image/*'],
      file_size_limit: 10,
    })
    await world.ask('PUT', `/bucket/${name}`, {
      body: { file_size_limit: null, allowed_mime_types: null },
    })
    expect((await world.client().getBucket(name)).data).toMatchObject({
      public: false,
      allowed_mime_types: null,
      file_size_limit: null,
    })
  })

  it('is deleted only when it is empty', async () => {
    const name = await world.freshBucket()
    await world.put(name, 'a', 'x')
    expect(await world.ask('DELETE', `/bucket/${name}`)).toMatchObject(
      refusal(
        400,
        '409',
        'ResourceNotEmpty',
        'ResourceNotEmpty',
        'The bucket you tried to delete is not empty',
      ),
    )
    expect((await world.client().emptyBucket(name)).data).toEqual({
      message: 'Empty bucket has been queued. Completion may take up to an hour.',
    })
    expect((await world.client().deleteBucket(name)).data).toEqual({
      message: 'Successfully deleted',
    })
    expect(await world.ask('GET', `/bucket/${name}`)).toMatchObject(bucketNotFound)
  })

  it('cannot be created twice', async () => {
    const name = await world.freshBucket()
    expect(await world.ask('POST', '/bucket', { body: { name } })).toMatchObject(
      refusal(400, '409', 'Duplicate', 'BucketAlreadyExists', 'The resource already exists'),
    )
  })
})

describe('a list of buckets', () => {
  it('can be searched, sorted and paged', async () => {
    for (const name of ['q_b', 'q_a', 'qc'])
      await world.ask('POST', '/bucket', { body: { name: `proj_acme_${name}` } })
    const names = async (query: string) =>
      (await world.ask('GET', `/bucket?${query}`)).body.map(({ name }: { name: string }) => name)
    expect(await names('search=ME_Q_&sortColumn=name')).toEqual(['proj_acme_q_a', 'proj_acme_q_b'])
    expect(await names('search=e_q_&sortColumn=name&sortOrder=desc&limit=1&offset=1')).toEqual([
      'proj_acme_q_a',
    ])
    expect(await names('search=%25')).toEqual([])
  })

  it('contains the type, which the answer for a single bucket does not contain', async () => {
    const { data } = await world.client().listBuckets()
    expect(data?.[0]).toMatchObject({ type: 'STANDARD' })
  })

  it.each([
    ['limit=0', 'querystring/limit must be >= 1'],
    ['sortColumn=size', 'querystring/sortColumn must be equal to one of the allowed values'],
  ])('refuses ?%s', async (query, message) => {
    expect(await world.ask('GET', `/bucket?${query}`)).toMatchObject(
      refusal(400, '400', 'Error', 'InvalidRequest', message),
    )
  })
})

describe('a name with the prefixes of two projects', () => {
  it('belongs to the project with the longer slug, in storage and in the management plane', async () => {
    const { at, group, tenant } = world
    const { serviceRoleKey } = await provisionTenant(at, group, 'acme_b')
    const fullName = 'proj_acme_b_x'
    const problem = 'names that begin with proj_acme_b_ belong to another project'
    expect(await world.ask('POST', '/bucket', { body: { name: fullName } })).toMatchObject({
      status: 400,
      body: {
        error: 'Invalid Input',
        code: 'InvalidBucketName',
        message: `Bucket name invalid: ${problem}`,
      },
    })
    const payload = Buffer.from(tenant.anonKey.split('.')[1] ?? '', 'base64url').toString()
    const byPlatform = await at.call(
      'POST',
      `/platform/v1/projects/${JSON.parse(payload).project_id}/buckets`,
      { credential: at.session, body: { name: 'b_x' } },
    )
    expect(byPlatform.status).toBe(400)
    expect(byPlatform.text).toContain(problem)
    const token = await storageToken(at, serviceRoleKey)
    expect((await world.ask('POST', '/bucket', { token, body: { name: fullName } })).body).toEqual({
      name: fullName,
    })
    expect((await world.ask('POST', '/bucket', { body: { name: 'proj_acme_bx_y' } })).status).toBe(
      200,
    )
  })
})

describe('the storage service', () => {
  it('lets only the service_role create, change, empty and delete buckets', async () => {
    const name = await world.freshBucket({ public: true })
    for (const role of ['user', 'anon'] as const) {
      const body = { name: `proj_acme_by_${role}` }
      expect(await world.ask('POST', '/bucket', { role, body })).toMatchObject(rowRefused)
      expect(
        await world.ask('PUT', `/bucket/${name}`, { role, body: { public: false } }),
      ).toMatchObject(bucketNotFound)
      expect(await world.ask('DELETE', `/bucket/${name}`, { role })).toMatchObject(bucketNotFound)
      expect(await world.ask('POST', `/bucket/${name}/empty`, { role })).toMatchObject(
        refusal(403, '403', 'Unauthorized', 'AccessDenied', 'Access denied: Invalid role'),
      )
    }
  })

  it('shows anon only public buckets, and a user all buckets of the project', async () => {
    const hidden = await world.freshBucket()
    const open = await world.freshBucket({ public: true })
    const seen = async (role: 'anon' | 'user') =>
      (await world.ask('GET', '/bucket', { role })).body.map(({ id }: { id: string }) => id)
    expect(await seen('anon')).toContain(open)
    expect(await seen('anon')).not.toContain(hidden)
    expect(await seen('user')).toEqual(expect.arrayContaining([open, hidden]))
    expect(await world.ask('GET', `/bucket/${hidden}`, { role: 'anon' })).toMatchObject(
      bucketNotFound,
    )
  })

  it('hides another project’s buckets, including public ones', async () => {
    const name = await world.freshBucket({ public: true })
    const role = 'neighbour'
    for (const [method, path, body] of [
      ['GET', `/bucket/${name}`, undefined],
      ['PUT', `/bucket/${name}`, { public: false }],
      ['DELETE', `/bucket/${name}`, undefined],
      ['POST', `/bucket/${name}/empty`, undefined],
    ] as const)
      expect(await world.ask(method, path, { role, body })).toMatchObject(bucketNotFound)
    expect((await world.ask('GET', '/bucket', { role })).body).toEqual([])
  })
})

describe('a bucket is refused', () => {
  it.each([
    ['photos', /must begin with proj_acme_/],
    ['proj_other_photos', /must begin with proj_acme_/],
    ['proj_acme_', /must begin with proj_acme_/],
    ['proj_acme_a/b', /^Bucket name invalid$/],
    ['proj_acme_é', /^Bucket name invalid$/],
    [' proj_acme_a', /^Bucket name invalid$/],
    [`proj_acme_${'x'.repeat(91)}`, /^Bucket name invalid$/],
    ['', /^Bucket name invalid$/],
  ])('with the name %j', async (name, message) => {
    const answer = await world.ask('POST', '/bucket', { body: { name } })
    expect(answer).toMatchObject({
      status: 400,
      body: { statusCode: '400', error: 'Invalid Input', code: 'InvalidBucketName' },
    })
    expect(answer.body.message).toMatch(message)
  })

  it.each([
    [{}, "body must have required property 'name'"],
    [{ name: 5 }, 'body/name must be string'],
    [{ name: 'proj_acme_v', public: 'yes' }, 'body/public must be boolean'],
    [{ public: 'yes' }, "body must have required property 'name'"],
    [[], 'body must be object'],
  ])('with the body %j', async (body, message) => {
    expect(await world.ask('POST', '/bucket', { body })).toMatchObject(
      refusal(400, '400', 'Error', 'InvalidRequest', message),
    )
  })

  it('when an update contains no change', async () => {
    const bucket = await world.freshBucket()
    expect(await world.ask('PUT', `/bucket/${bucket}`, { body: { name: 'x' } })).toMatchObject({
      status: 400,
      body: {
        code: 'InvalidRequest',
        message: 'body must have at least one of public, file_size_limit, allowed_mime_types',
      },
    })
  })

  it('with a size limit beyond the safe integers', async () => {
    const body = { name: 'proj_acme_huge', file_size_limit: '99999999999GB' }
    expect(await world.ask('POST', '/bucket', { body })).toMatchObject({
      status: 400,
      body: { statusCode: '413', code: 'EntityTooLarge' },
    })
  })

  it('with an invalid size limit', async () => {
    expect(
      await world.ask('POST', '/bucket', {
        body: { name: 'proj_acme_sized', file_size_limit: '20 miles' },
      }),
    ).toMatchObject(
      refusal(
        400,
        '400',
        'InvalidRequest',
        'InvalidRequest',
        'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B',
      ),
    )
  })

  it('with an invalid MIME type', async () => {
    expect(
      await world.ask('POST', '/bucket', {
        body: { name: 'proj_acme_typed', allowed_mime_types: ['image'] },
      }),
    ).toMatchObject(
      refusal(
        400,
        '415',
        'invalid_mime_type',
        'InvalidMimeType',
        'mime type image is not supported',
      ),
    )
  })

  it.each([
    ['', "Body cannot be empty when content-type is set to 'application/json'"],
    ['{', "Body is not valid JSON but content-type is set to 'application/json'"],
  ])('with the request body %j', async (body, message) => {
    expect(
      await world.ask('POST', '/bucket', {
        body,
        headers: { 'content-type': 'application/json' },
      }),
    ).toMatchObject(refusal(400, '400', 'FastifyError', 'InvalidRequest', message))
  })

  it('with an empty JSON body, which is accepted only to empty or delete a bucket', async () => {
    const name = await world.freshBucket()
    const headers = { 'content-type': 'application/json' }
    expect((await world.ask('POST', `/bucket/${name}/empty`, { headers })).status).toBe(200)
    expect((await world.ask('DELETE', `/bucket/${name}`, { headers })).status).toBe(200)
  })
})
