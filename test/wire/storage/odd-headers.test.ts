// Upload metadata that is not valid in a header, that would make a browser run the file, or that is secret
// (docs/wire/storage.md#errors).
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askS3 } from '../../support/s3-client.ts'
import { type StorageWorld, startStorageWorld } from '../../support/storage-world.ts'
import type { Answer, Json } from '../../support/test-emulator.ts'

let world: StorageWorld
let bucket: string
beforeAll(async () => {
  world = await startStorageWorld()
  bucket = await world.freshBucket()
})
afterAll(() => world[Symbol.asyncDispose]())

const raw = (key: string, headers: Record<string, string>, body = 'bytes'): Promise<Answer<Json>> =>
  world.ask('POST', `/object/${bucket}/${key}`, { body, headers })

const get = (key: string, headers: Record<string, string> = {}): Promise<Answer<Json>> =>
  world.ask('GET', `/object/${bucket}/${key}`, { headers })

async function form(key: string, fields: Record<string, string>): Promise<Response> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('', new Blob(['bytes'], { type: 'text/plain' }))
  return await fetch(`${world.url}/object/${bucket}/${key}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.tokens.server}` },
    body,
  })
}

describe('X-Robots-Tag', () => {
  it('is served as it was uploaded, and is none by default', async () => {
    await raw('robots', { 'x-robots-tag': 'googlebot: noindex, max-snippet:20' })
    await raw('plain', {})
    expect((await get('robots')).headers.get('x-robots-tag')).toBe(
      'googlebot: noindex, max-snippet:20',
    )
    expect((await get('plain')).headers.get('x-robots-tag')).toBe('none')
  })

  it('is kept in a copy of the object', async () => {
    await raw('original', { 'x-robots-tag': 'all' })
    const body = { bucketId: bucket, sourceKey: 'original', destinationKey: 'twin' }
    await world.ask('POST', '/object/copy', { body })
    expect((await get('twin')).headers.get('x-robots-tag')).toBe('all')
  })

  it.each(['', 'nonsense', 'noindex,', 'max-snippet', 'noindex; nofollow'])(
    'is refused with the value %j',
    async (tag) => {
      expect(await raw('refused', { 'x-robots-tag': tag })).toMatchObject({
        status: 400,
        body: {
          statusCode: '400',
          error: 'invalid_x_robots_tag',
          code: 'InvalidRequest',
          message: expect.stringMatching(/^Invalid X-Robots-Tag header: /),
        },
      })
    },
  )
})

describe('the fields of a form', () => {
  it('cannot add a header to downloads', async () => {
    expect(
      (await form('evil', { cacheControl: '60\r\nset-cookie: a=b', metadata: '[]' })).status,
    ).toBe(200)
    const { status, headers } = await get('evil')
    expect([status, headers.get('set-cookie')]).toEqual([200, null])
    expect(headers.get('cache-control')).toBe('max-age=60set-cookie: a=b')
  })

  it('may contain a type with characters that a header cannot contain', async () => {
    await form('typed', { contentType: 'text/plain; name=日本' })
    const { status, headers } = await get('typed')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; name='])
  })

  it('may contain at most 1 MiB of metadata', async () => {
    const text = (length: number): string => JSON.stringify({ a: 'x'.repeat(length - 8) })
    expect((await form('heavy', { metadata: text(1_048_576) })).status).toBe(200)
    const tooMuch = await form('heavier', { metadata: text(1_048_577) })
    expect(await tooMuch.json()).toMatchObject({ statusCode: '413', code: 'EntityTooLarge' })
    const { body } = await world.ask('GET', `/object/info/${bucket}/heavy`)
    expect(body.metadata.a).toHaveLength(1_048_568)
  })

  it('leave the connection usable when they are refused before the file arrives', async () => {
    const narrow = await world.freshBucket({ allowed_mime_types: ['image/png'] })
    const part = 'Content-Disposition: form-data; name=""; filename="f"\r\nContent-Type: text/plain'
    const body = `--B\r\n${part}\r\n\r\n${'x'.repeat(8_000_000)}\r\n--B--\r\n`
    const { hostname, port, pathname } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    for (const line of [
      `POST ${pathname}/object/${narrow}/x HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${world.tokens.server}`,
      'Content-Type: multipart/form-data; boundary=B',
      `Content-Length: ${body.length}\r\n\r\n${body}GET ${pathname}/nothing HTTP/1.1`,
      'Host: x',
      'Connection: close\r\n',
    ])
      socket.write(`${line}\r\n`)
    let answers = ''
    for await (const piece of socket) answers += piece
    expect(answers.match(/"code":"\w+"|HTTP\/1.1 \d+/g)).toEqual([
      'HTTP/1.1 400',
      '"code":"InvalidMimeType"',
      'HTTP/1.1 404',
      '"code":"InvalidRequest"',
    ])
  })
})

describe('a document with scripts', () => {
  it.each(['text/html', 'TEXT/HTML; charset=utf-8'])('is plain text for type %j', async (type) => {
    await raw('page', { 'content-type': type, 'x-upsert': 'true' }, '<script></script>')
    expect((await get('page')).headers.get('content-type')).toBe('text/plain')
  })

  it.each(['image/svg+xml', 'text/xsl'])('keeps the type %s and is sandboxed', async (type) => {
    await raw('drawing', { 'content-type': type, 'x-upsert': 'true' }, '<svg/>')
    const { headers } = await get('drawing')
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('content-security-policy')).toBe('sandbox')
  })

  it.each(['*/*', 'unknown/unknown', 'application/unknown'])(
    'is served as bytes when its type is %s, and its record keeps the type',
    async (type) => {
      await raw('guess', { 'content-type': type, 'x-upsert': 'true' }, '<script></script>')
      expect((await get('guess')).headers.get('content-type')).toBe('application/octet-stream')
      const { body } = await world.ask('GET', `/object/info/${bucket}/guess`)
      expect(body.content_type).toBe(type)
    },
  )

  it('is also sandboxed as a range, in HEAD and in a 304 answer', async () => {
    await raw('part', { 'content-type': 'text/xsl' }, '<script></script>')
    const { headers } = await get('part', { range: 'bytes=0-3' })
    const head = await world.ask('HEAD', `/object/${bucket}/part`)
    const unchanged = await get('part', { 'if-none-match': headers.get('etag') ?? '' })
    expect(unchanged.status).toBe(304)
    for (const answer of [headers, head.headers, unchanged.headers])
      expect(answer.get('content-security-policy')).toBe('sandbox')
  })
})

describe('the type of an answer', () => {
  it('must not be guessed by browsers, for files, errors, lists, pictures and S3', async () => {
    await raw('known', { 'content-type': 'text/plain' })
    const s3 = await world.at.call('POST', `/_emulator/v1/projects/${world.tenant.slug}/s3-keys`)
    const answers = [
      await get('known'),
      await get('nothing'),
      await world.ask('GET', '/nothing'),
      await world.ask('GET', `/render/image/authenticated/${bucket}/known`),
      await world.ask('POST', `/object/list/${bucket}`, { body: { prefix: '' } }),
      await world.ask('POST', '/upload/resumable'),
      await askS3(s3.body, 'GET', `/${bucket}/known`),
      await askS3(s3.body, 'GET', `/${bucket}/nothing`),
      await askS3(s3.body, 'GET', `/${bucket}`),
    ]
    for (const { headers } of answers) expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('a download', () => {
  it('has a file name that cannot add a header', async () => {
    await raw('named', {})
    const { status, headers } = await get('named?download=a%0d%0aset-cookie:b%22;é')
    expect([status, headers.get('set-cookie')]).toEqual([200, null])
    expect(headers.get('content-disposition')).toBe(
      "attachment; filename=a%0D%0Aset-cookie%3Ab%22%3B%C3%A9; filename*=UTF-8''a%0D%0Aset-cookie%3Ab%22%3B%C3%A9",
    )
  })

  it('of an empty object is complete and has no ranges', async () => {
    await raw('empty', {}, '')
    expect(await get('empty')).toMatchObject({ status: 200, text: '' })
    for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1'])
      expect(await get('empty', { range })).toMatchObject({
        status: 416,
        body: { code: 'InvalidRange' },
      })
  })

  it('is complete when If-Range names other content', async () => {
    await raw('ranged', {}, '0123456789')
    const { headers } = await get('ranged')
    const range = 'bytes=0-3'
    const current = await get('ranged', { range, 'if-range': headers.get('etag') ?? '' })
    const former = await get('ranged', { range, 'if-range': '"former"' })
    expect([current.status, current.text, former.status, former.text]).toEqual([
      206,
      '0123',
      200,
      '0123456789',
    ])
  })
})

describe('removing objects', () => {
  it('does not reveal whether a key exists to a caller that may not delete it', async () => {
    await raw('there', {})
    const answers = await Promise.all(
      ['there', 'absent'].map((key) =>
        world.ask('DELETE', `/object/${bucket}/${key}`, { role: 'anon' }),
      ),
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [400, expect.stringContaining('Access denied')],
      [400, answers[0]?.text],
    ])
  })
})

describe('a number in a JSON body', () => {
  it.each([
    ['/object/list/BUCKET', { prefix: '', limit: '10' }, 'body/limit must be integer'],
    ['/object/sign/BUCKET/plain', { expiresIn: '60' }, 'body/expiresIn must be integer'],
  ])('is not accepted as text: %s', async (path, body, message) => {
    expect(await world.ask('POST', path.replace('BUCKET', bucket), { body })).toMatchObject({
      status: 400,
      body: { code: 'InvalidRequest', message },
    })
  })
})
