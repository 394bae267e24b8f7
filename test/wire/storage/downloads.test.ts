// Reading one object: bytes, headers, ranges, conditions, and access (docs/wire/storage.md#download).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type StorageAsk,
  type StorageWorld,
  startStorageWorld,
} from '../../support/storage-world.ts'

let world: StorageWorld
let hidden: string
let open: string
const KEY = 'dir/a file.txt'
const BYTES = '0123456789'
const ETAG = '"781e5e245d69b566979b86e28d23f2c7"'

beforeAll(async () => {
  world = await startStorageWorld()
  hidden = await world.freshBucket()
  open = await world.freshBucket({ public: true })
  for (const bucket of [hidden, open]) await world.put(bucket, KEY, BYTES)
})
afterAll(() => world[Symbol.asyncDispose]())

const get = (headers: Record<string, string> = {}, query = '', options: StorageAsk = {}) =>
  world.ask('GET', `/object/${hidden}/${KEY}${query}`, { headers, ...options })
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
const objectNotFound = refusal(400, '404', 'not_found', 'NoSuchKey', 'Object not found')
const bucketNotFound = refusal(400, '404', 'Bucket not found', 'NoSuchBucket', 'Bucket not found')

describe('a download', () => {
  it('returns the stored bytes and their cache headers', async () => {
    const answer = await get()
    expect([answer.status, answer.text]).toEqual([200, BYTES])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-type': 'text/plain',
      'content-length': '10',
      'cache-control': 'no-cache',
      etag: ETAG,
      'last-modified': expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/),
      'x-robots-tag': 'none',
      'access-control-allow-origin': '*',
    })
    expect(answer.headers.has('content-disposition')).toBe(false)
  })

  it('answers HEAD with the same headers and no body', async () => {
    const answer = await world.ask('HEAD', `/object/${hidden}/${KEY}`)
    expect([answer.status, answer.text, answer.headers.get('content-length')]).toEqual([
      200,
      '',
      '10',
    ])
    expect(answer.headers.get('etag')).toBe(ETAG)
  })

  it('answers HEAD of a missing object with 400 and no body', async () => {
    const answer = await world.ask('HEAD', `/object/${hidden}/nothing`)
    expect([answer.status, answer.text]).toEqual([400, ''])
  })

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
  ])('returns the range %s', async (range, text, contentRange) => {
    const answer = await get({ range })
    expect([answer.status, answer.text]).toEqual([206, text])
    expect(answer.headers.get('content-range')).toBe(contentRange)
    expect(answer.headers.get('content-length')).toBe(String(text.length))
  })

  it.each(['bytes=10-', 'bytes=0-1,3-4', 'nonsense'])('refuses the range %s', async (range) => {
    expect(await get({ range })).toMatchObject(
      refusal(416, '416', 'invalid_range', 'InvalidRange', 'invalid range provided'),
    )
  })

  it.each([
    ['if-none-match', ETAG],
    ['if-modified-since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
  ])('is answered with 304 when the client has the current bytes: %s', async (name, value) => {
    const answer = await get({ [name]: value })
    expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', ETAG])
  })

  it.each([
    ['if-none-match', '"other"'],
    ['if-none-match', ETAG.replaceAll('"', '')],
    ['if-modified-since', 'Sat, 01 Jan 2000 00:00:00 GMT'],
    ['if-modified-since', 'yesterday'],
  ])('is sent in full with %s: %s', async (name, value) => {
    const answer = await get({ [name]: value })
    expect([answer.status, answer.text]).toEqual([200, BYTES])
  })

  it('allows stale-while-revalidate in the answer to an outdated If-None-Match', async () => {
    expect((await get({ 'if-none-match': '"old"' })).headers.get('cache-control')).toBe(
      'no-cache, stale-while-revalidate=30',
    )
  })

  it.each([
    ['?download', 'attachment;'],
    ['?download=', 'attachment;'],
    [
      '?download=a%20b%22%C3%A9.txt',
      "attachment; filename=a%20b%22%C3%A9.txt; filename*=UTF-8''a%20b%22%C3%A9.txt",
    ],
  ])('has the Content-Disposition for %s', async (query, disposition) => {
    expect((await get({}, query)).headers.get('content-disposition')).toBe(disposition)
  })

  it('sends an HTML file as plain text', async () => {
    await world.ask('PUT', `/object/${hidden}/page`, {
      body: '<script>',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
    const answer = await world.ask('GET', `/object/${hidden}/page`)
    expect(answer.headers.get('content-type')).toBe('text/plain')
  })

  it('is complete for a large object, and can be a range', async () => {
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251))
    await world.ask('PUT', `/object/${hidden}/large`, {
      body: bytes,
      headers: { 'content-type': 'x/y' },
    })
    const { data } = await world.client().from(hidden).download('large')
    expect(bytes.equals(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer()))).toBe(true)
    const response = await fetch(`${world.url}/object/${hidden}/large`, {
      headers: { authorization: `Bearer ${world.tokens.server}`, range: 'bytes=5-1999999' },
    })
    expect(response.status).toBe(206)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-range': 'bytes 5-1999999/3000000',
      'content-length': '1999995',
      'content-type': 'x/y',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_/),
      'access-control-allow-origin': '*',
    })
    expect(bytes.subarray(5, 2_000_000).equals(Buffer.from(await response.arrayBuffer()))).toBe(
      true,
    )
  })

  it('can be cancelled by the caller', async () => {
    await world.ask('PUT', `/object/${hidden}/left`, { body: Buffer.alloc(40_000_000, 7) })
    const leaving = new AbortController()
    const response = await fetch(`${world.url}/object/${hidden}/left`, {
      headers: { authorization: `Bearer ${world.tokens.server}` },
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
    expect((await get()).text).toBe(BYTES)
  })
})

describe('a read', () => {
  const routes = (bucket: string) => ({
    any: `/object/${bucket}/${KEY}`,
    authenticated: `/object/authenticated/${bucket}/${KEY}`,
    public: `/object/public/${bucket}/${KEY}`,
    info: `/object/info/${bucket}/${KEY}`,
    'info authenticated': `/object/info/authenticated/${bucket}/${KEY}`,
    'info public': `/object/info/public/${bucket}/${KEY}`,
  })
  const withBearer = ['any', 'authenticated', 'info', 'info authenticated'] as const

  it.each(['server', 'user'] as const)(
    'is allowed to the %s in every bucket of the project',
    async (role) => {
      for (const bucket of [hidden, open])
        for (const route of withBearer)
          expect((await world.ask('GET', routes(bucket)[route], { role })).status).toBe(200)
    },
  )

  it('is allowed to anon in public buckets, and private objects are not found', async () => {
    for (const route of withBearer) {
      expect((await world.ask('GET', routes(open)[route], { role: 'anon' })).status).toBe(200)
      expect(await world.ask('GET', routes(hidden)[route], { role: 'anon' })).toMatchObject(
        objectNotFound,
      )
    }
  })

  it('is allowed without a bearer only in public buckets', async () => {
    for (const route of ['any', 'public', 'info public'] as const) {
      expect((await world.ask('GET', routes(open)[route], { role: null })).status).toBe(200)
      expect(await world.ask('GET', routes(hidden)[route], { role: null })).toMatchObject(
        bucketNotFound,
      )
    }
    expect((await world.ask('GET', routes(open).any, { token: 'a.b.c' })).status).toBe(200)
  })

  it('needs a bearer on the authenticated routes', async () => {
    for (const route of ['authenticated', 'info', 'info authenticated'] as const)
      expect(await world.ask('GET', routes(open)[route], { role: null })).toMatchObject(
        refusal(
          400,
          '400',
          'Error',
          'InvalidRequest',
          "headers must have required property 'authorization'",
        ),
      )
  })

  it('is refused to another project, except at public addresses', async () => {
    for (const bucket of [hidden, open])
      for (const route of withBearer)
        expect(await world.ask('GET', routes(bucket)[route], { role: 'neighbour' })).toMatchObject(
          bucketNotFound,
        )
    expect((await world.ask('GET', routes(open).public, { role: 'neighbour' })).status).toBe(200)
  })

  it('works at the public address that the client builds', async () => {
    const { data } = world.client().from(open).getPublicUrl(KEY)
    const response = await fetch(data.publicUrl)
    expect([response.status, await response.text()]).toEqual([200, BYTES])
  })
})
