// S3 ListParts and ListMultipartUploads: the parts of one upload, and the unfinished uploads of a bucket, in pages.
import { toIso } from '../../../../core/time.ts'
import { xml } from '../operations/bucket-operations.ts'
import { countIn, encodingType, keyWriter, requireBucket, type S3Operation } from '../s3-call.ts'
import { element, group } from '../xml.ts'
import { placeOf, requireUpload } from './multipart-operations.ts'
import type { MultipartUpload, UploadedPart } from './multipart-store.ts'

/** Maximum number of parts or uploads in one page. */
const MAX_ENTRIES = 1_000

export const listParts: S3Operation = async (deps, call) => {
  const upload = requireUpload(deps, call)
  const { query } = call
  const limit = Math.min(countIn(query, 'max-parts', MAX_ENTRIES), MAX_ENTRIES)
  const marker = countIn(query, 'part-number-marker', 0)
  const left = deps.s3.multipart.parts(upload.id).filter(({ partNumber }) => partNumber > marker)
  const page = left.slice(0, limit)
  const isTruncated = left.length > page.length
  return xml('ListPartsResult', [
    ...placeOf(call),
    element('UploadId', upload.id),
    group('Initiator', [element('ID', upload.ownerId)]),
    group('Owner', [element('ID', upload.ownerId)]),
    element('StorageClass', 'STANDARD'),
    element('PartNumberMarker', marker),
    element('NextPartNumberMarker', isTruncated ? (page.at(-1)?.partNumber ?? marker) : undefined),
    element('MaxParts', limit),
    element('IsTruncated', isTruncated),
    ...page.map(partToXml),
  ])
}

export const listUploads: S3Operation = async (deps, call) => {
  const { fullName } = requireBucket(deps, call.caller.key, call.bucket)
  const { query } = call
  const asked = {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    keyMarker: query.get('key-marker') ?? '',
    uploadIdMarker: query.get('upload-id-marker') ?? '',
    limit: Math.min(countIn(query, 'max-uploads', MAX_ENTRIES), MAX_ENTRIES),
  }
  const { entries, isTruncated } = pageOfUploads(deps.s3.multipart.list(fullName), asked)
  const say = keyWriter(query)
  const last = isTruncated ? entries.at(-1) : undefined
  return xml('ListMultipartUploadsResult', [
    element('Bucket', fullName),
    element('Prefix', say(asked.prefix)),
    element('Delimiter', asked.delimiter === '' ? undefined : say(asked.delimiter)),
    element('KeyMarker', say(asked.keyMarker)),
    element('UploadIdMarker', asked.uploadIdMarker),
    element('NextKeyMarker', last && say(last.key)),
    element('NextUploadIdMarker', last && (last.upload?.id ?? '')),
    element('MaxUploads', asked.limit),
    element('IsTruncated', isTruncated),
    encodingType(query),
    ...entries.map(({ key, upload }) =>
      upload === undefined
        ? group('CommonPrefixes', [element('Prefix', say(key))])
        : uploadToXml(upload, say),
    ),
  ])
}

interface AskedUploads {
  readonly prefix: string
  readonly delimiter: string
  /** The last key or the last group of the previous page. */
  readonly keyMarker: string
  /** Id of the last upload on the previous page. All uploads of `keyMarker` are skipped when the id is empty. */
  readonly uploadIdMarker: string
  readonly limit: number
}

/** One upload, or a group of all uploads whose keys share the text up to the delimiter. */
interface UploadEntry {
  readonly key: string
  readonly upload?: MultipartUpload
}

/** @param uploads sorted by key, then by start time */
function pageOfUploads(
  uploads: readonly MultipartUpload[],
  { prefix, delimiter, keyMarker, uploadIdMarker, limit }: AskedUploads,
): { readonly entries: readonly UploadEntry[]; readonly isTruncated: boolean } {
  const entries: UploadEntry[] = []
  const seenAt = uploads.findIndex(
    ({ objectKey, id }) => objectKey === keyMarker && id === uploadIdMarker,
  )
  for (const [index, upload] of uploads.entries()) {
    const { objectKey } = upload
    const isPast = objectKey > keyMarker || (seenAt >= 0 && index > seenAt)
    if (!isPast || !objectKey.startsWith(prefix)) continue
    const end = delimiter === '' ? -1 : objectKey.indexOf(delimiter, prefix.length)
    const folder = end < 0 ? undefined : objectKey.slice(0, end + delimiter.length)
    if (folder !== undefined && (folder === keyMarker || folder === entries.at(-1)?.key)) continue
    if (entries.length === limit) return { entries, isTruncated: limit > 0 }
    entries.push(folder === undefined ? { key: objectKey, upload } : { key: folder })
  }
  return { entries, isTruncated: false }
}

function partToXml({ partNumber, md5, sizeBytes, createdAt }: UploadedPart): string {
  return group('Part', [
    element('PartNumber', partNumber),
    element('LastModified', toIso(createdAt)),
    element('ETag', `"${md5}"`),
    element('Size', sizeBytes),
  ])
}

function uploadToXml(
  { objectKey, id, ownerId, createdAt }: MultipartUpload,
  say: (text: string) => string,
): string {
  return group('Upload', [
    element('Key', say(objectKey)),
    element('UploadId', id),
    group('Initiator', [element('ID', ownerId)]),
    group('Owner', [element('ID', ownerId)]),
    element('StorageClass', 'STANDARD'),
    element('Initiated', toIso(createdAt)),
  ])
}
