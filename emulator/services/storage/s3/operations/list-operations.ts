// S3 ListObjects and ListObjectsV2 (docs/wire/storage.md#s3). Keys are listed in byte order. The only delimiter is a slash. A
// page continues after the last key of the previous page.
import { toIso } from '../../../../core/time.ts'
import type { ListEntry } from '../../listing/object-listing.ts'
import { quotedEtag } from '../../objects/wire.ts'
import {
  countIn,
  encodingType,
  keyWriter,
  requireBucket,
  type S3Call,
  type S3Operation,
} from '../s3-call.ts'
import { S3Error } from '../s3-error.ts'
import { element, group } from '../xml.ts'
import { xml } from './bucket-operations.ts'

const MAX_KEYS = 1_000

export const listObjects: S3Operation = async (deps, call) => {
  const bucket = requireBucket(deps, call.caller.key, call.bucket).fullName
  const { query } = call
  const isSecond = query.get('list-type') === '2'
  const { prefix, delimiter, limit, say } = readQuery(call)
  const token = query.get('continuation-token')
  const start = isSecond
    ? ((token === null ? undefined : decodeToken(token)) ?? query.get('start-after') ?? '')
    : (query.get('marker') ?? '')
  const found =
    limit === 0
      ? []
      : deps.listing.byKey(
          { bucket, prefix, hasFolders: delimiter === '/', isDescending: false },
          { limit: limit + 1, after: start === '' ? undefined : { key: start } },
        )
  const entries = found.slice(0, limit)
  const last = found.length > limit ? entries.at(-1)?.key : undefined
  return xml('ListBucketResult', [
    element('Name', bucket),
    element('Prefix', say(prefix)),
    element('Delimiter', delimiter === '' ? undefined : say(delimiter)),
    element('MaxKeys', limit),
    element('IsTruncated', last !== undefined),
    encodingType(query),
    ...(isSecond
      ? [
          element('KeyCount', entries.length),
          element('ContinuationToken', token ?? undefined),
          element('StartAfter', query.has('start-after') ? say(start) : undefined),
          element('NextContinuationToken', last && encodeToken(last)),
        ]
      : [element('Marker', say(start)), element('NextMarker', last && say(last))]),
    ...entries.map((entry) => entryToXml(entry, say)),
  ])
}

function readQuery({ query }: S3Call) {
  const delimiter = query.get('delimiter') ?? ''
  if (delimiter !== '' && delimiter !== '/')
    throw new S3Error('NotImplemented', 'The only supported delimiter is a slash.')
  return {
    prefix: query.get('prefix') ?? '',
    delimiter,
    limit: Math.min(countIn(query, 'max-keys', MAX_KEYS), MAX_KEYS),
    say: keyWriter(query),
  }
}

function entryToXml(entry: ListEntry, say: (text: string) => string): string {
  if (entry.kind === 'folder') return group('CommonPrefixes', [element('Prefix', say(entry.key))])
  const { stored } = entry
  return group('Contents', [
    element('Key', say(entry.key)),
    element('LastModified', toIso(stored.updatedAt)),
    element('ETag', quotedEtag(stored)),
    element('Size', stored.sizeBytes),
    element('StorageClass', 'STANDARD'),
  ])
}

function encodeToken(key: string): string {
  return Buffer.from(key).toString('base64url')
}

function decodeToken(token: string): string {
  return Buffer.from(token, 'base64url').toString()
}
