// Presigned addresses of S3, for checks (AWS Signature Version 4 in the query). Pure.
import { createHash, createHmac } from 'node:crypto'
import { type EpochMillis, toIso } from '../../../../core/time.ts'

export interface S3Access {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  /** Address of S3, which the signature contains. */
  readonly endpoint: string
}

export interface PresignedRequest {
  readonly method: string
  /** `/bucket/key`, with unreserved characters only. */
  readonly path: string
  /** Headers besides `host`, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Parameters besides those of the signature. */
  readonly query?: Readonly<Record<string, string>>
}

/** Returns path and query below the endpoint, valid for a minute from `now`. */
export function presignedPath(
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
    ['X-Amz-Expires', '60'],
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
