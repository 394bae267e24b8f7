import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimsOf } from '../../support/auth-world.ts'
import { type StorageWorld, startStorageWorld } from '../../support/storage-world.ts'
import { type Answer, type Json, provisionTenant } from '../../support/test-emulator.ts'

let world: StorageWorld
let bucket: string

beforeAll(async () => {
  world = await startStorageWorld()
  bucket = await world.freshBucket()
  await world.put(bucket, 'a (b), c & D/file.txt', 'signed')
  await world.put(bucket, 'other.txt', 'other')
})
afterAll(() => world[Symbol.asyncDispose]())

const KEY = 'a (b), c & D/file.txt'

/** Returns path and query of a URL that is signed for this number of seconds. */
async function sign(key = KEY, expiresIn = 60): Promise<string> {
  const path = `/object/sign/${bucket}/${encodeURI(key)}`
  const answer = await world.ask('POST', path, { body: { expiresIn } })
  expect(answer.status).toBe(200)
  return answer.body.signedURL
}

const open = (path: string, method = 'GET'): Promise<Answer<Json>> =>
  world.ask(method, encodeURI(path), { role: null })

const tokenOf = (path: string): string => path.slice(path.indexOf('?token=') + 7)

async function uploadToken(key: string, headers: Record<string, string> = {}): Promise<string> {
  const path = `/object/upload/sign/${bucket}/${encodeURI(key)}`
  const answer = await world.ask('POST', path, { body: {}, headers })
  expect(answer.status).toBe(200)
  return answer.body.token
}

function send(key: string, token: string, body = 'sent', headers: Record<string, string> = {}) {
  const path = `/object/upload/sign/${bucket}/${encodeURI(key)}?token=${token}`
  return world.ask('PUT', path, {
    role: null,
    body,
    headers: { 'content-type': 'text/plain', ...headers },
  })
}

const refusal = ({ status, body }: Answer<Json>) =>
  `${status} ${body.statusCode} ${body.error}: ${body.message}`

describe('a signed URL', () => {
  it('is relative, contains the object’s name unchanged, and needs no bearer', async () => {
    const path = await sign()
    expect(path.startsWith(`/object/sign/${bucket}/${KEY}?token=`)).toBe(true)
    const answer = await open(path)
    expect([answer.status, answer.text]).toEqual([200, 'signed'])
  })

  it('has claims for the object, its purpose and two times, and no claim that the caller adds', async () => {
    const path = `/object/sign/${bucket}/other.txt`
    const forged = { role: 'service_role', upsert: true, owner: 'me', url: 'x', scope: 'upload' }
    const { body } = await world.ask('POST', path, { body: { expiresIn: 60, ...forged } })
    const claims = claimsOf(tokenOf(body.signedURL))
    expect(claims).toEqual({
      url: `${bucket}/other.txt`,
      scope: 'download',
      iat: expect.any(Number),
      exp: claims.iat + 60,
    })
  })

  it('sends Expires instead of Cache-Control', async () => {
    const path = await sign()
    const { headers } = await open(path)
    expect(headers.get('cache-control')).toBeNull()
    expect(Date.parse(headers.get('expires') ?? '') / 1_000).toBe(claimsOf(tokenOf(path)).exp)
  })

  it.each([
    ['', undefined],
    ['&download', 'attachment;'],
    ['&download=', 'attachment;'],
    ['&download=r%26d.txt', "attachment; filename=r%26d.txt; filename*=UTF-8''r%26d.txt"],
    ['&download=résumé.pdf', /^attachment; filename=r%C3%A9sum%C3%A9.pdf; filename\*=UTF-8''r%C3/],
  ])('with %j downloads under the given name', async (suffix, disposition) => {
    const path = encodeURI(await sign()).replaceAll('%25', '%') + suffix
    const { headers, status } = await world.ask('GET', path, { role: null })
    expect(status).toBe(200)
    const sent = headers.get('content-disposition')
    if (disposition instanceof RegExp) expect(sent).toMatch(disposition)
    else expect(sent).toBe(disposition ?? null)
  })

  it('answers HEAD, ranges and conditions like any download', async () => {
    const path = encodeURI(await sign())
    const etag = (await world.ask('HEAD', path, { role: null })).headers.get('etag') ?? ''
    const ask = (headers: Record<string, string>) => world.ask('GET', path, { role: null, headers })
    expect((await ask({ 'if-none-match': etag })).status).toBe(304)
    const part = await ask({ range: 'bytes=1-3' })
    expect([part.status, part.text]).toEqual([206, 'ign'])
  })

  it('is invalid after its object was deleted', async () => {
    await world.put(bucket, 'short-lived', 'x')
    const path = await sign('short-lived')
    await world.ask('DELETE', `/object/${bucket}/short-lived`)
    expect(refusal(await open(path))).toBe('400 404 not_found: Object not found')
  })

  it('is valid until its last second and refused at the next one', async () => {
    const path = await sign(KEY, 300)
    await world.advance(299)
    expect((await open(path)).status).toBe(200)
    await world.advance(1)
    const answer = await open(path)
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        statusCode: '400',
        error: 'InvalidJWT',
        message: '"exp" claim timestamp check failed',
        code: 'InvalidJWT',
      },
    ])
    expect((await open(await sign())).status).toBe(200)
  })

  it('opens only its own object, and only for downloads', async () => {
    const token = tokenOf(await sign())
    const other = await open(`/object/sign/${bucket}/other.txt?token=${token}`)
    expect(refusal(other)).toBe('400 400 InvalidSignature: Invalid signature')
    expect(refusal(await send(KEY, token))).toBe(
      '400 400 InvalidSignature: Token is not scoped for upload',
    )
  })

  it('accepts no token that was made for another purpose', async () => {
    const storageToken = await open(`/object/sign/${bucket}/other.txt?token=${world.tokens.server}`)
    expect(refusal(storageToken)).toBe('400 400 InvalidSignature: Invalid signature')
    const key = await open(`/object/sign/${bucket}/other.txt?token=${world.tenant.anonKey}`)
    expect(refusal(key)).toBe('400 400 InvalidJWT: signature verification failed')
    const asBearer = await world.ask('GET', `/bucket/${bucket}`, { token: tokenOf(await sign()) })
    expect([asBearer.status, asBearer.body.statusCode]).toEqual([400, '403'])
  })
})

describe('signing', () => {
  it('signs several objects in one request, with a result for each object', async () => {
    const paths = ['other.txt', 'missing', KEY]
    const { body } = await world.ask('POST', `/object/sign/${bucket}`, {
      body: { expiresIn: 60, paths },
    })
    expect(body.map(({ path, error }: Json) => [path, error])).toEqual([
      ['other.txt', null],
      ['missing', 'Either the object does not exist or you do not have access to it'],
      [KEY, null],
    ])
    expect((await open(body[2].signedURL)).text).toBe('signed')
  })

  it.each(['anon', 'neighbour'] as const)(
    'fails as not found for %s, for one object or several',
    async (role) => {
      const one = await world.ask('POST', `/object/sign/${bucket}/other.txt`, {
        role,
        body: { expiresIn: 60 },
      })
      expect([one.status, one.body]).toEqual([
        400,
        { statusCode: '404', error: 'not_found', message: 'Object not found', code: 'NoSuchKey' },
      ])
      const many = await world.ask('POST', `/object/sign/${bucket}`, {
        role,
        body: { expiresIn: 60, paths: ['other.txt'] },
      })
      expect(many.body[0]).toMatchObject({ signedURL: null, error: expect.any(String) })
    },
  )

  it('is allowed to users', async () => {
    const answer = await world.ask('POST', `/object/sign/${bucket}/other.txt`, {
      role: 'user',
      body: { expiresIn: 60 },
    })
    expect((await open(answer.body.signedURL)).text).toBe('other')
  })

  it.each([
    ['other.txt', {}, "body must have required property 'expiresIn'"],
    ['other.txt', { expires_in: 60 }, "body must have required property 'expiresIn'"],
    ['other.txt', { expiresIn: 0 }, 'body/expiresIn must be >= 1'],
    ['other.txt', { expiresIn: 1.5 }, 'body/expiresIn must be integer'],
    ['', { expiresIn: 60 }, "body must have required property 'paths'"],
    ['', { expiresIn: 60, paths: [] }, 'body/paths must NOT have fewer than 1 items'],
    [
      '',
      { expiresIn: 60, paths: Array.from({ length: 1_001 }, String) },
      'body/paths must NOT have more than 1000 items',
    ],
  ])('for the key %j refuses the body %j', async (key, body, message) => {
    const path = `/object/sign/${bucket}${key === '' ? '' : `/${key}`}`
    const answer = await world.ask('POST', path, { body })
    expect(refusal(answer)).toBe(`400 400 Error: ${message}`)
  })

  it('is refused when the project was removed', async () => {
    const tenant = await provisionTenant(world.at, world.group, 'closing')
    const { body } = await world.at.call('POST', '/st/v1/token', {
      credential: tenant.serviceRoleKey,
    })
    const name = `${tenant.schemaName}_b`
    const asTenant = { token: body.token }
    await world.ask('POST', '/bucket', { ...asTenant, body: { name } })
    await world.ask('POST', `/object/${name}/k`, { ...asTenant, body: 'x' })
    const signed = await world.ask('POST', `/object/sign/${name}/k`, {
      ...asTenant,
      body: { expiresIn: 60 },
    })
    expect((await open(signed.body.signedURL)).status).toBe(200)
    await world.at.call('DELETE', `/groups/v1/${world.group.id}/tenants/closing`, {
      credential: world.group.key,
    })
    expect(refusal(await open(signed.body.signedURL))).toBe('400 404 not_found: Object not found')
  })
})

describe('a signed upload URL', () => {
  it('stores an object only once, and returns only the key', async () => {
    const token = await uploadToken('up/once.txt')
    const answer = await send('up/once.txt', token)
    expect([answer.status, answer.body]).toEqual([200, { Key: `${bucket}/up/once.txt` }])
    expect(refusal(await send('up/once.txt', token))).toBe(
      '400 409 Duplicate: The resource already exists',
    )
  })

  it('replaces only when it was signed for upsert, whatever the headers say', async () => {
    await world.put(bucket, 'up/there.txt', 'old')
    const once = await uploadToken('up/later.txt')
    await send('up/later.txt', once)
    const upsert = { 'x-upsert': 'true' }
    expect((await send('up/later.txt', once, 'again', upsert)).body.code).toBe('KeyAlreadyExists')
    const token = await uploadToken('up/there.txt', upsert)
    expect((await send('up/there.txt', token, 'new', { 'x-upsert': 'false' })).status).toBe(200)
    const { text } = await world.ask('GET', `/object/${bucket}/up/there.txt`)
    expect(text).toBe('new')
  })

  it('has claims for object, purpose, owner and upsert, and is valid for two hours', async () => {
    const claims = claimsOf(await uploadToken('up/claims.txt'))
    expect(claims).toEqual({
      url: `${bucket}/up/claims.txt`,
      scope: 'upload',
      owner: expect.any(String),
      upsert: false,
      iat: expect.any(Number),
      exp: claims.iat + 7_200,
    })
  })

  it('applies the limits of the bucket', async () => {
    const narrow = await world.freshBucket({ allowed_mime_types: ['image/*'], file_size_limit: 3 })
    const path = `/object/upload/sign/${narrow}/x`
    const { body } = await world.ask('POST', path, { body: {} })
    const put = (type: string, text: string) =>
      world.ask('PUT', `${path}?token=${body.token}`, {
        role: null,
        body: text,
        headers: { 'content-type': type },
      })
    expect((await put('text/plain', 'abc')).body.code).toBe('InvalidMimeType')
    expect((await put('image/png', 'abcd')).body.code).toBe('EntityTooLarge')
    expect((await put('image/png', 'abc')).status).toBe(200)
  })

  it('is refused after its expiry, for another key, and for a download', async () => {
    const token = await uploadToken('up/late.txt')
    expect(refusal(await send('up/other.txt', token))).toBe(
      '400 400 InvalidSignature: Invalid signature',
    )
    expect(refusal(await open(`/object/sign/${bucket}/up/late.txt?token=${token}`))).toBe(
      '400 400 InvalidSignature: Token is not scoped for download',
    )
    await world.advance(7_200)
    expect(refusal(await send('up/late.txt', token))).toBe(
      '400 400 InvalidJWT: "exp" claim timestamp check failed',
    )
  })
})

describe('signing an upload', () => {
  it('is refused when the upload itself would be refused', async () => {
    // Gets a new token, because earlier tests moved the clock by hours and the first tokens have expired.
    const { body } = await world.at.call('POST', '/st/v1/token', {
      credential: world.tenant.serviceRoleKey,
    })
    const anon = await world.at.call('POST', '/st/v1/token', { credential: world.tenant.anonKey })
    const signFor = (key: string, token: string) =>
      world.ask('POST', `/object/upload/sign/${bucket}/${key}`, { token, body: {} })
    expect(refusal(await signFor('other.txt', body.token))).toBe(
      '400 409 Duplicate: The resource already exists',
    )
    expect(refusal(await signFor('%C3%A9', body.token))).toBe('400 400 InvalidKey: Invalid key: é')
    expect(refusal(await signFor('new.txt', anon.body.token))).toBe(
      '403 403 Unauthorized: new row violates row-level security policy',
    )
  })
})
