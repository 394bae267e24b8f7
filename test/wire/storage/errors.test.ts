import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import {
  type StorageAsk,
  type StorageRoleName,
  type StorageWorld,
  startStorageWorld,
} from '../../support/storage-world.ts'
import type { Answer, Json } from '../../support/test-emulator.ts'

// One case for every situation of the error table (docs/wire/storage.md#errors). The 402 is tested with the token endpoints,
// because storage itself never returns it. Tests cannot cause some situations: 200,000 objects to empty, an overloaded database,
// disabled pictures, and the locked resource of resumable uploads. odd-headers.test.ts covers X-Robots-Tag.

let world: StorageWorld
let bucket: string
let open: string
let narrow: string
const folder = temporaryFolder()

beforeAll(async () => {
  world = await startStorageWorld({ dataDir: folder.path })
  bucket = await world.freshBucket()
  open = await world.freshBucket({ public: true })
  narrow = await world.freshBucket({ allowed_mime_types: ['image/*'], file_size_limit: 10 })
  for (const key of ['file.txt', 'other.txt', 'lost.txt']) await world.put(bucket, key, key)
  const { body } = await world.ask('GET', `/object/info/${bucket}/lost.txt`)
  rmSync(join(folder.path, 'blobs', body.version.slice(0, 2), body.version))
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  folder.remove()
})

type Asked = Promise<Answer<Json>>
type Ask = () => Asked

const get = (path: string, options: StorageAsk = {}): Asked => world.ask('GET', path, options)

/** Sends a request without a bearer token. */
const openly = (path: string): Asked => get(path, { role: null })

const post = (path: string, body: object, role: StorageRoleName = 'server'): Asked =>
  world.ask('POST', path, { role, body })

function upload(path: string, role: StorageRoleName | null = 'server', type = 'text/plain'): Asked {
  const method = path.includes('?') ? 'PUT' : 'POST'
  return world.ask(method, path, { role, body: 'eleven byte', headers: { 'content-type': type } })
}

const way = (sourceKey: string, destinationKey: string, destinationBucket?: string) => ({
  bucketId: bucket,
  sourceKey,
  destinationKey,
  destinationBucket,
})

const signed = async (key: string): Promise<string> =>
  (await post(`/object/sign/${bucket}/${key}`, { expiresIn: 60 })).body.signedURL

const uploadUrl = async (key: string): Promise<string> =>
  (await post(`/object/upload/sign/${bucket}/${key}`, {})).body.url

/** Changes the signature of a JWT. */
const forge = (token: string): string => `${token.slice(0, -4)}AAAA`

const NO_OBJECT = '400 404 not_found NoSuchKey: Object not found'
const NO_BUCKET = '400 404 Bucket not found NoSuchBucket: Bucket not found'
const EXISTS = 'The resource already exists'
const NEW_ROW = '403 403 Unauthorized AccessDenied: new row violates row-level security policy'
const BAD_BEARER = '400 403 Unauthorized AccessDenied: '
const BAD_TOKEN = '400 400 InvalidJWT InvalidJWT: '
const BAD_SIGNATURE = '400 400 InvalidSignature InvalidSignature: '
const INVALID = '400 400 Error InvalidRequest: '
const MIME = '400 415 invalid_mime_type InvalidMimeType: '
const BAD_NAME = '400 400 Invalid Input InvalidBucketName: '

const NOT_THERE: readonly (readonly [when: string, refusal: string, ask: Ask])[] = [
  ['an object is not there', NO_OBJECT, () => get(`/object/authenticated/${bucket}/missing`)],
  ['it has no record', NO_OBJECT, () => get(`/object/info/${bucket}/missing`)],
  [
    'an object to delete is not there',
    NO_OBJECT,
    () => world.ask('DELETE', `/object/${bucket}/missing`),
  ],
  ['an object to move is not there', NO_OBJECT, () => post('/object/move', way('missing', 'x'))],
  ['an object to copy is not there', NO_OBJECT, () => post('/object/copy', way('missing', 'x'))],
  [
    'anon reads a private object',
    NO_OBJECT,
    () => get(`/object/authenticated/${bucket}/file.txt`, { role: 'anon' }),
  ],
  [
    'anon signs (seed)',
    NO_OBJECT,
    () => post(`/object/sign/${bucket}/file.txt`, { expiresIn: 60 }, 'anon'),
  ],
  [
    'the bytes are missing',
    '400 404 Not found NoSuchKey: The resource was not found',
    () => get(`/object/authenticated/${bucket}/lost.txt`),
  ],
  ['a bucket is not there', NO_BUCKET, () => get('/bucket/proj_acme_none')],
  [
    'a bucket is another project’s',
    NO_BUCKET,
    () => get(`/bucket/${bucket}`, { role: 'neighbour' }),
  ],
  [
    'an upload goes to another project’s bucket',
    NO_BUCKET,
    () => upload(`/object/${bucket}/x`, 'neighbour'),
  ],
  [
    'a move goes to another project’s bucket',
    NO_BUCKET,
    () => post('/object/move', way('file.txt', 'x', 'proj_other_b1')),
  ],
  [
    'a private bucket is hidden from anon',
    NO_BUCKET,
    () => get(`/bucket/${bucket}`, { role: 'anon' }),
  ],
  [
    'a private object is asked for by a public address (seed)',
    NO_BUCKET,
    () => openly(`/object/public/${bucket}/file.txt`),
  ],
  [
    'a private object is asked for without a bearer (seed)',
    NO_BUCKET,
    () => openly(`/object/${bucket}/file.txt`),
  ],
]

const WRITES: typeof NOT_THERE = [
  [
    'a key is taken',
    `400 409 Duplicate KeyAlreadyExists: ${EXISTS}`,
    () => upload(`/object/${bucket}/file.txt`),
  ],
  [
    'the key of a copy is taken',
    `400 409 Duplicate KeyAlreadyExists: ${EXISTS}`,
    () => post('/object/copy', way('file.txt', 'other.txt')),
  ],
  [
    'the key of a move is taken',
    `400 409 Duplicate ResourceAlreadyExists: ${EXISTS}`,
    () => post('/object/move', way('file.txt', 'other.txt')),
  ],
  [
    'the name of a bucket is taken',
    `400 409 Duplicate BucketAlreadyExists: ${EXISTS}`,
    () => post('/bucket', { name: bucket }),
  ],
  [
    'a key has an accent (seed)',
    '400 400 InvalidKey InvalidKey: Invalid key: café.txt',
    () => upload(`/object/${bucket}/caf%C3%A9.txt`),
  ],
  [
    'the key of a copy has an accent',
    '400 400 InvalidKey InvalidKey: Invalid key: é',
    () => post('/object/copy', way('file.txt', 'é')),
  ],
  [
    'a bucket’s name cannot be one',
    `${BAD_NAME}Bucket name invalid`,
    () => post('/bucket', { name: 'proj_acme_a/b' }),
  ],
  [
    'a bucket’s name lacks the project',
    `${BAD_NAME}Bucket name invalid: it must begin with proj_acme_`,
    () => post('/bucket', { name: 'short' }),
  ],
  [
    'a bucket to delete has objects',
    '400 409 ResourceNotEmpty ResourceNotEmpty: The bucket you tried to delete is not empty',
    () => world.ask('DELETE', `/bucket/${bucket}`),
  ],
  [
    'a type is not allowed, as it was sent',
    `${MIME}mime type text/plain;charset=UTF-8 is not supported`,
    () => upload(`/object/${narrow}/x`, 'server', 'text/plain;charset=UTF-8'),
  ],
  [
    'a type is none',
    `${MIME}Invalid Content-Type header`,
    () => upload(`/object/${narrow}/x`, 'server', 'x'),
  ],
  [
    'an object is too large',
    '400 413 Payload too large EntityTooLarge: The object exceeded the maximum allowed size',
    () => upload(`/object/${narrow}/x`, 'server', 'image/png'),
  ],
  ['anon uploads (seed)', NEW_ROW, () => upload(`/object/${bucket}/x`, 'anon')],
  ['anon uploads, to a public bucket', NEW_ROW, () => upload(`/object/${open}/x`, 'anon')],
  ['anon moves', NEW_ROW, () => post('/object/move', way('file.txt', 'x'), 'anon')],
  ['anon copies', NEW_ROW, () => post('/object/copy', way('file.txt', 'x'), 'anon')],
  ['anon signs an upload', NEW_ROW, () => post(`/object/upload/sign/${bucket}/x`, {}, 'anon')],
  ['a user makes a bucket', NEW_ROW, () => post('/bucket', { name: 'proj_acme_users' }, 'user')],
  [
    'anon deletes',
    '400 403 Unauthorized AccessDenied: Access denied',
    () => world.ask('DELETE', `/object/${bucket}/file.txt`, { role: 'anon' }),
  ],
  [
    'a user empties a bucket',
    '403 403 Unauthorized AccessDenied: Access denied: Invalid role',
    () => post(`/bucket/${bucket}/empty`, {}, 'user'),
  ],
]

const CREDENTIALS: typeof NOT_THERE = [
  [
    'the bearer is no JWT',
    `${BAD_BEARER}Invalid Compact JWS`,
    () => get('/bucket', { token: 'x' }),
  ],
  [
    'the bearer is empty',
    `${BAD_BEARER}Invalid Compact JWS`,
    () => get('/bucket', { role: null, headers: { authorization: 'Bearer ' } }),
  ],
  [
    'the bearer has a bad header',
    `${BAD_BEARER}JWS Protected Header is invalid`,
    () => get('/bucket', { token: 'a.b.c' }),
  ],
  [
    'the bearer was changed',
    `${BAD_BEARER}signature verification failed`,
    () => get('/bucket', { token: forge(world.tokens.server) }),
  ],
  [
    'there is no bearer where one is needed',
    `${INVALID}headers must have required property 'authorization'`,
    () => openly(`/object/authenticated/${bucket}/file.txt`),
  ],
  [
    'a key is sent directly (seed)',
    '401 401 Unauthorized AccessDenied: This is a credential of the platform, and storage takes storage tokens only. Exchange it at POST /st/v1/token and send the token from the answer.',
    () => get('/bucket', { token: world.tenant.serviceRoleKey }),
  ],
  [
    'the token of a URL is no JWT',
    `${BAD_TOKEN}Invalid Compact JWS`,
    () => openly(`/object/sign/${bucket}/file.txt?token=x`),
  ],
  [
    'the token of a URL has a bad header',
    `${BAD_TOKEN}JWS Protected Header is invalid`,
    () => openly(`/object/sign/${bucket}/file.txt?token=a.b.c`),
  ],
  [
    'the token of a URL was changed',
    `${BAD_TOKEN}signature verification failed`,
    async () => openly(forge(await signed('file.txt'))),
  ],
  [
    'the token is of another object’s URL',
    `${BAD_SIGNATURE}Invalid signature`,
    async () => openly((await signed('file.txt')).replace('file', 'other')),
  ],
  [
    'a token for uploads downloads',
    `${BAD_SIGNATURE}Token is not scoped for download`,
    async () => openly((await uploadUrl('x')).replace('/upload', '')),
  ],
  [
    'a token for downloads uploads',
    `${BAD_SIGNATURE}Token is not scoped for upload`,
    async () => upload((await signed('file.txt')).replace('/object/', '/object/upload/'), null),
  ],
  [
    'a URL has no token',
    `${INVALID}querystring must have required property 'token'`,
    () => openly(`/object/sign/${bucket}/file.txt`),
  ],
]

const REQUESTS: typeof NOT_THERE = [
  [
    'a list has no prefix',
    `${INVALID}body must have required property 'prefix'`,
    () => post(`/object/list/${bucket}`, {}),
  ],
  [
    'a list has no room',
    `${INVALID}body/limit must be >= 1`,
    () => post(`/object/list/${bucket}`, { prefix: '', limit: 0 }),
  ],
  [
    'a URL is signed for no time',
    `${INVALID}body/expiresIn must be >= 1`,
    () => post(`/object/sign/${bucket}/file.txt`, { expiresIn: 0 }),
  ],
  [
    'nothing is to be removed',
    `${INVALID}body/prefixes must NOT have fewer than 1 items`,
    () => world.ask('DELETE', `/object/${bucket}`, { body: { prefixes: [] } }),
  ],
  [
    'a move has no source',
    `${INVALID}body must have required property 'sourceKey'`,
    () => post('/object/move', { bucketId: bucket, destinationKey: 'x' }),
  ],
  [
    'a body says JSON and is empty',
    "400 400 FastifyError InvalidRequest: Body cannot be empty when content-type is set to 'application/json'",
    () =>
      world.ask('POST', `/object/list/${bucket}`, {
        body: '',
        headers: { 'content-type': 'application/json' },
      }),
  ],
  [
    'a route is not known',
    '404 404 Not Found InvalidRequest: Route GET:/nowhere?x=1 not found',
    () => get('/nowhere?x=1'),
  ],
  [
    'a range begins after the end',
    '416 416 invalid_range InvalidRange: invalid range provided',
    () => get(`/object/${bucket}/file.txt`, { headers: { range: 'bytes=100-' } }),
  ],
  [
    'a size is none',
    '400 400 InvalidRequest InvalidRequest: Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B',
    () => post('/bucket', { name: 'proj_acme_s', file_size_limit: 'big' }),
  ],
  [
    'a cursor is none',
    '400 400 InvalidParameter InvalidParameter: Invalid Parameter continuation token',
    () => post(`/object/list-v2/${bucket}`, { cursor: 'x' }),
  ],
]

/** Returns `<HTTP status> <statusCode> <error> <code>: <message>`, after checking that the body contains nothing else. */
function refusalOf({ status, headers, body }: Answer<Json>): string {
  const { statusCode, error, code, message, ...rest } = body
  expect(rest).toEqual({})
  expect(typeof statusCode).toBe('string')
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  return `${status} ${statusCode} ${error} ${code}: ${message}`
}

it.each([...NOT_THERE, ...WRITES, ...CREDENTIALS, ...REQUESTS])(
  'storage refuses with upstream’s error when %s',
  async (_when, refusal, ask) => {
    expect(refusalOf(await ask())).toBe(refusal)
  },
)

it('forbids caches to store the error for missing bytes', async () => {
  const { headers } = await get(`/object/authenticated/${bucket}/lost.txt`)
  expect(headers.get('cache-control')).toBe('no-store')
})

it('refuses an expired bearer and an expired signed URL (seed)', async () => {
  const url = await signed('file.txt')
  await world.advance(3_600)
  const message = '"exp" claim timestamp check failed'
  expect(refusalOf(await get('/bucket'))).toBe(BAD_BEARER + message)
  expect(refusalOf(await openly(url))).toBe(BAD_TOKEN + message)
})
