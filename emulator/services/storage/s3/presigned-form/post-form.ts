// Handles presigned forms, with which a browser uploads by `POST /<bucket>` and multipart/form-data. The form contains a signed
// policy. The request itself has no signature (Amazon S3 API, "POST Object").

import { type ReceivedForm, readForm } from '../../bodies/multipart-form.ts'
import { bytesOf } from '../../bodies/request-bytes.ts'
import { requireMediaType } from '../../buckets/bucket-limits.ts'
import type { StorageDeps } from '../../deps.ts'
import { refuse, StorageError } from '../../errors.ts'
import { requireObjectKey } from '../../objects/object-key.ts'
import type { StoredObject } from '../../objects/object-store.ts'
import { putObject, refuseUnfit } from '../../objects/put-object.ts'
import { quotedEtag } from '../../objects/wire.ts'
import type { StorageCall } from '../../storage-call.ts'
import { expectationsIn, matching } from '../body/checksum.ts'
import { xml } from '../operations/bucket-operations.ts'
import { describe, requireBucket } from '../s3-call.ts'
import { S3Error } from '../s3-error.ts'
import { admitKey, isHeaderText, parseCredential, wrongSignature } from '../signing/authenticate.ts'
import type { S3Key } from '../signing/s3-key-store.ts'
import { isSameSignature, signText } from '../signing/sigv4.ts'
import { element } from '../xml.ts'
import { type LengthRange, lengthRangeOf, parsePolicy, requireAllowed } from './post-policy.ts'

/** Maximum number of fields: enough for the required fields and the object's metadata. */
const MAX_FIELDS = 100

/** Whether the request is a presigned form. Such a request has no signature in its headers or query. */
export function isPostForm({ request, query, objectKey }: StorageCall): boolean {
  const type = request.headers.get('content-type') ?? ''
  return (
    request.method === 'POST' &&
    objectKey === '' &&
    !query.has('delete') &&
    /^multipart\/form-data\b/i.test(type)
  )
}

/**
 * Stores the file of a form.
 * @throws {S3Error} `AccessDenied`, `InvalidAccessKeyId`, `SignatureDoesNotMatch`, `InvalidPolicyDocument`, `InvalidArgument`,
 * `EntityTooSmall`, `MalformedPOSTRequest`, `BadDigest`
 */
export async function postForm(deps: StorageDeps, call: StorageCall): Promise<Response> {
  const form = await requireForm(call)
  try {
    const fields = fieldsOf(form, call.bucket)
    const key = authenticateForm(deps, call, fields)
    const policy = parsePolicy(fields.get('policy') ?? '')
    requireAllowed(policy, fields, deps.clock.now())
    const stored = await store(deps, call, { form, fields, key, range: lengthRangeOf(policy) })
    return answer(call, fields, stored)
  } finally {
    form.file.destroy()
  }
}

interface AllowedForm {
  readonly form: ReceivedForm
  readonly fields: ReadonlyMap<string, string>
  readonly key: S3Key
  readonly range: LengthRange
}

async function store(
  deps: StorageDeps,
  call: StorageCall,
  { form, fields, key, range }: AllowedForm,
): Promise<StoredObject> {
  const described = describe(fields)
  const bucket = requireBucket(deps, key, call.bucket)
  const objectKey = requireObjectKey(fields.get('key') ?? '')
  requireMediaType(described.mimeType)
  refuseUnfit(bucket, objectKey, described.mimeType, undefined)
  const upload = { ...described, bucket, objectKey, ownerId: key.accessKeyId, mayReplace: true }
  const bytes = matching(form.file, expectationsIn(fields))
  return putObject(deps, upload, within(bytes, range))
}

async function requireForm({ request, env }: StorageCall): Promise<ReceivedForm> {
  try {
    const type = request.headers.get('content-type') ?? ''
    return await readForm(bytesOf(request, env), type, MAX_FIELDS)
  } catch (error) {
    if (error instanceof StorageError && error.code === 'invalidRequest')
      throw new S3Error('MalformedPOSTRequest', `${error.message}.`)
    throw error
  }
}

/**
 * Returns the fields by lower-case name. `${filename}` is replaced in every field except the policy, before the policy is
 * checked (as in S3).
 */
function fieldsOf({ fields, filename }: ReceivedForm, bucket: string): ReadonlyMap<string, string> {
  const expanded = new Map<string, string>()
  for (const [name, value] of fields)
    expanded.set(
      name.toLowerCase(),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: S3's own placeholder
      name.toLowerCase() === 'policy' ? value : value.replaceAll('${filename}', () => filename),
    )
  return expanded.set('bucket', bucket)
}

function authenticateForm(
  deps: StorageDeps,
  call: StorageCall,
  fields: ReadonlyMap<string, string>,
): S3Key {
  const policy = fields.get('policy')
  const signature = fields.get('x-amz-signature')
  if (policy === undefined || signature === undefined)
    throw new S3Error('AccessDenied', 'The form has no policy or no x-amz-signature.')
  if (!fields.has('key'))
    throw new S3Error('InvalidArgument', "The form must have a field 'key' before its file.")
  const { accessKeyId, scope } = parseCredential(fields.get('x-amz-credential') ?? '')
  const key = admitKey(deps, call, accessKeyId)
  if (!isSameSignature(signText(policy, scope, key.secret), signature))
    throw wrongSignature('policy')
  return key
}

async function* within(
  bytes: AsyncIterable<Uint8Array>,
  { least, most }: LengthRange,
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of bytes) {
    size += piece.byteLength
    if (size > most) throw refuse.tooLarge()
    yield piece
  }
  if (size < least)
    throw new S3Error(
      'EntityTooSmall',
      `The file has ${size} bytes; the policy requires at least ${least}.`,
    )
}

function answer(
  { env, bucket }: StorageCall,
  fields: ReadonlyMap<string, string>,
  stored: StoredObject,
): Response {
  const { objectKey } = stored
  const etag = quotedEtag(stored)
  const target = redirectIn(fields)
  if (target !== undefined) {
    for (const [name, value] of Object.entries({ bucket, key: objectKey, etag }))
      target.searchParams.set(name, value)
    return new Response(null, { status: 303, headers: { etag, location: target.href } })
  }
  const location = encodeURI(`${env.addresses.storageUrl}/s3/${bucket}/${objectKey}`)
  const headers = { etag, location }
  const wanted = fields.get('success_action_status')
  if (wanted === '204') return new Response(null, { status: 204, headers })
  // The status is 200 without the field `success_action_status`, as on the hosted storage service. S3 itself answers 204.
  if (wanted !== '201') return new Response(null, { headers })
  const described = xml('PostResponse', [
    element('Location', location),
    element('Bucket', bucket),
    element('Key', objectKey),
    element('ETag', etag),
  ])
  for (const [name, value] of Object.entries(headers)) described.headers.set(name, value)
  return new Response(described.body, { status: 201, headers: described.headers })
}

// A redirect URL that cannot be used is ignored, as in S3. Only http and https are allowed, because other schemes could run
// script in the page that sent the form.
function redirectIn(fields: ReadonlyMap<string, string>): URL | undefined {
  const text = fields.get('success_action_redirect') ?? fields.get('redirect')
  const target = text !== undefined && isHeaderText(text) ? URL.parse(text) : null
  return target?.protocol === 'http:' || target?.protocol === 'https:' ? target : undefined
}
