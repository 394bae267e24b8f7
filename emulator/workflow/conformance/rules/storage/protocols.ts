// Checks of docs/wire/storage.md: resumable uploads and S3.

import { createHash, createHmac } from 'node:crypto'
import { type EpochMillis, epochMillis, toIso } from '../../../../core/time.ts'
import { readClaims } from '../../../../platform/credentials/unverified-claims.ts'
import { check, type Lab, type RulesOfPage } from '../../model/check.ts'
import { EMPTY, TEXT } from '../../model/patterns.ts'
import { type Part, send, textAt } from '../../model/steps.ts'
import { manage, store } from '../requests.ts'
import { anonToken } from './stored.ts'

/** Lifetime of a storage token in seconds. */
const HOUR = 3_600

export const PROTOCOL_RULES: RulesOfPage = {
  tus: {
    checks: [
      check('a request without Tus-Resumable is 412', ['lab'], ({ lab }) => [
        send(
          store('POST', '/upload/resumable', lab.ana.storage, {
            headers: { 'upload-length': '5' },
          }),
          412,
          /^Tus-Resumable Required\s*$/,
        ),
      ]),
      check('an upload continues where it stopped', ['lab'], function* ({ lab }) {
        const tus = { 'tus-resumable': '1.0.0' }
        const created = yield send(
          store('POST', '/upload/resumable', lab.ana.storage, {
            headers: {
              ...tus,
              'upload-length': '10',
              'upload-metadata': metadata({
                bucketName: lab.bucket,
                objectName: 'tus/a.txt',
                contentType: 'text/plain',
              }),
            },
          }),
          201,
          undefined,
          { location: /\/upload\/resumable\// },
        )
        const path = (created.headers['location'] ?? '').replace(/^.*(?=\/upload\/resumable)/, '')
        const patch = (offset: string, body: string) =>
          store('PATCH', path, lab.ana.storage, {
            body,
            headers: {
              ...tus,
              'upload-offset': offset,
              'content-type': 'application/offset+octet-stream',
            },
          })
        yield send(patch('0', 'hello'), 204, EMPTY, { 'upload-offset': '5' })
        yield send(store('HEAD', path, lab.ana.storage, { headers: tus }), 200, EMPTY, {
          'upload-offset': '5',
        })
        yield send(patch('0', 'again'), 409, /^Upload-Offset conflict\s*$/)
        yield send(patch('5', 'world'), 204, EMPTY, { 'upload-offset': '10' })
        yield send(
          store('GET', `/object/authenticated/${lab.bucket}/tus/a.txt`, lab.ben.storage),
          200,
          'helloworld',
        )
      }),
      check(
        'a body with the creation is stored, and DELETE ends an upload',
        ['lab'],
        function* ({ lab }) {
          const create = (name: string, body: string) =>
            store('POST', '/upload/resumable', lab.ana.storage, {
              body,
              headers: {
                'tus-resumable': '1.0.0',
                'upload-length': '5',
                'content-type': 'application/offset+octet-stream',
                'upload-metadata': metadata({
                  bucketName: lab.bucket,
                  objectName: `tus/${name}`,
                  contentType: 'text/plain',
                }),
              },
            })
          yield send(create('whole.txt', 'hello'), 201, undefined, { 'upload-offset': '5' })
          yield send(
            store('GET', `/object/authenticated/${lab.bucket}/tus/whole.txt`, lab.ben.storage),
            200,
            'hello',
          )
          const begun = yield send(create('ended.txt', 'he'), 201, undefined, {
            'upload-offset': '2',
          })
          const path = (begun.headers['location'] ?? '').replace(/^.*(?=\/upload\/resumable)/, '')
          const headers = { 'tus-resumable': '1.0.0' }
          yield send(store('DELETE', path, lab.ana.storage, { headers }), 204)
          yield send(store('HEAD', path, lab.ana.storage, { headers }), 404)
        },
      ),
      check('an unknown upload is 404', ['lab'], ({ lab }) => [
        send(
          store('HEAD', '/upload/resumable/bm8tc3VjaC11cGxvYWQ', lab.ana.storage, {
            headers: { 'tus-resumable': '1.0.0' },
          }),
          404,
        ),
      ]),
    ],
    unchecked: 'An upload ends after 24 hours.',
  },
  s3: {
    checks: [
      check('a request without a signature is 403 AccessDenied', ['tenant'], ({ tenant }) => [
        send(store('GET', `/s3/${tenant.schemaName}_files`), 403, /<Code>AccessDenied<\/Code>/),
      ]),
      check('an unknown key is 403 InvalidAccessKeyId', ['tenant'], function* ({ tenant }) {
        const claims = readClaims(yield* anonToken(tenant.anonKey))
        const now = epochMillis((Number(claims?.['exp']) - HOUR) * 1_000)
        yield send(
          store('GET', `/s3${presignedUnknown(tenant.schemaName, now)}`),
          403,
          /<Code>InvalidAccessKeyId<\/Code>/,
        )
      }),
      check(
        'presigned requests write, read and obey conditions',
        ['lab', 'emulator'],
        function* (world) {
          const access = yield* s3Access(world.lab, world.emulator.adminToken)
          const now = epochMillis(Number(readClaims(world.lab.ana.dataPlaneToken)?.['iat']) * 1_000)
          const path = `/${world.lab.bucket}/s3/a.txt`
          const ask = (method: string, body?: string, headers = {}, query = {}) => ({
            ...store(method, `/s3${presignedPath(access, { method, path, query }, now)}`),
            headers,
            ...(body === undefined ? {} : { body }),
          })
          yield send(ask('PUT', 'hello', { 'content-type': 'text/plain' }), 200, EMPTY, {
            etag: '"5d41402abc4b2a76b9719d911017c592"',
          })
          yield send(ask('GET'), 200, 'hello')
          yield send(ask('PUT', 'again', { 'if-none-match': '*' }), 412, /PreconditionFailed/)
          yield send(
            ask('PUT', 'again', { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' }),
            400,
            /BadDigest/,
          )
          const tags = { tagging: '' }
          yield send(ask('GET', undefined, {}, tags), 200, /<TagSet\s*\/?>/)
          yield send(ask('PUT', '<Tagging/>', {}, tags), 501, /<Code>NotImplemented<\/Code>/)
          const forged = ask('GET')
          yield send(
            { ...forged, path: forged.path.replace(/[0-9a-f]{8}$/, '00000000') },
            403,
            /<Code>SignatureDoesNotMatch<\/Code>/,
          )
          yield send(ask('DELETE'), 204)
          yield send(ask('GET'), 404, /<Code>NoSuchKey<\/Code>/)
        },
      ),
    ],
    unchecked:
      'S3 keys come from the dashboard of the hosted platform. Chunked bodies, forms and several parts need a client of S3.',
  },
}

function* s3Access({ home }: Lab, adminToken: string | undefined): Part<S3Access> {
  const path = `/_emulator/v1/projects/${home.slug}/s3-keys`
  const key = yield send(manage('POST', path, adminToken, {}), 201, { access_key_id: TEXT })
  return {
    accessKeyId: textAt(key, 'access_key_id'),
    secretAccessKey: textAt(key, 'secret_access_key'),
    region: textAt(key, 'region'),
    endpoint: textAt(key, 'endpoint'),
  }
}

function presignedUnknown(schemaName: string, now: EpochMillis): string {
  const path = `/${schemaName}_files/a.txt`
  const access = {
    accessKeyId: '00000000000000000000',
    secretAccessKey: 'x'.repeat(40),
    region: 'local',
    endpoint: 'http://127.0.0.1/s3',
  }
  return presignedPath(access, { method: 'GET', path }, now)
}

/** The header Upload-Metadata of TUS 1.0.0: names with values in base64. */
function metadata(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

// Presigned URLs of S3 for checks (AWS Signature Version 4 in the query). Pure.
interface S3Access {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  /** Address of the S3 endpoint. The signature covers its host and path. */
  readonly endpoint: string
}

interface PresignedRequest {
  readonly method: string
  /** `/bucket/key`, with unreserved characters only. */
  readonly path: string
  /** Headers that are signed besides `host`, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Query parameters that are added to the parameters of the signature. */
  readonly query?: Readonly<Record<string, string>>
}

/** Returns the signed path and query below the endpoint, valid for an hour from `now`, because a platform may be slow. */
function presignedPath(
  { accessKeyId, endpoint, region, secretAccessKey }: S3Access,
  { headers = {}, method, path, query: more = {} }: PresignedRequest,
  now: EpochMillis,
): string {
  const { host, pathname } = new URL(endpoint)
  const date = toIso(now).replace(/[-:]|\.\d+/g, '')
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`
  const signed = Object.entries({ host, ...headers }).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const query = [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${accessKeyId}/${scope}`],
    ['X-Amz-Date', date],
    ['X-Amz-Expires', '3600'],
    ['X-Amz-SignedHeaders', names],
    ...Object.entries(more),
  ]
    .map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  const canonical = [
    method,
    pathname.replace(/\/$/, '') + path,
    query,
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${secretAccessKey}`,
    )
  const text = ['AWS4-HMAC-SHA256', date, scope, digest].join('\n')
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return `${path}?${query}&X-Amz-Signature=${signature}`
}
