// The error codes of object storage, one row for each situation. Statuses and names are upstream's
// (docs/wire/storage.md#errors), except for the rows with a comment.
import {
  internalRefusal,
  type RefusalRow,
  type RefusalTable,
  UNAVAILABLE,
} from '../../core/refusals.ts'
import { PLATFORM_BUCKET_LIMIT } from '../../platform/projects/quotas.ts'

/** `status` is that of the HTTP response: upstream sends 400 for almost every error. `example` is upstream's message. */
export interface StorageRow extends RefusalRow {
  /** `statusCode`, `error` and `code` of the JSON body. */
  readonly body: readonly [statusCode: number, error: string, code: string]
  /** Pattern of the message, in any case. Set when another row has the same status and code. */
  readonly says?: string
}

const ROWS = {
  objectNotFound: {
    status: 400,
    body: [404, 'not_found', 'NoSuchKey'],
    link: 'object',
    cause:
      'The file does not exist, or the token may not see it. Private buckets hide their files.',
    remedy: 'If the file exists, use another credential and the same path.',
    says: '^Object not found',
    example: 'Object not found',
  },
  bytesMissing: {
    status: 400,
    body: [404, 'Not found', 'NoSuchKey'],
    link: 'object',
    cause:
      'The file is registered, but its bytes are missing. The data directory was changed from outside.',
    remedy: 'Upload the file again.',
    says: '^The resource was not found',
    example: 'The resource was not found',
  },
  bucketNotFound: {
    status: 400,
    body: [404, 'Bucket not found', 'NoSuchBucket'],
    link: 'bucket',
    cause:
      'The bucket does not exist for this token. The bucket may be private or belong to another project.',
    remedy: 'Read private buckets with a storage token, and public ones below /object/public.',
    example: 'Bucket not found',
  },
  objectExists: {
    status: 400,
    body: [409, 'Duplicate', 'KeyAlreadyExists'],
    link: 'object',
    cause: 'A file with this name exists.',
    remedy: 'Upload with x-upsert: true to replace it.',
    example: 'The resource already exists',
  },
  bucketExists: {
    status: 400,
    body: [409, 'Duplicate', 'BucketAlreadyExists'],
    link: 'bucket',
    cause: 'A bucket with this name exists.',
    remedy: 'Use this bucket, or choose another name.',
    example: 'The resource already exists',
  },
  resourceExists: {
    status: 400,
    body: [409, 'Duplicate', 'ResourceAlreadyExists'],
    link: 'object',
    cause: 'A resource with this name exists.',
    remedy: 'Choose another name.',
    example: 'The resource already exists',
  },
  invalidKey: {
    status: 400,
    body: [400, 'InvalidKey', 'InvalidKey'],
    link: 'object',
    cause: 'The file name has characters that storage does not accept, such as accented letters.',
    remedy: 'Upload under a name without accents, and keep the original name elsewhere.',
  },
  invalidBucketName: {
    status: 400,
    body: [400, 'Invalid Input', 'InvalidBucketName'],
    link: 'bucket',
    cause: 'The bucket’s name does not start with the prefix of this project.',
    remedy: 'Start the name with proj_<slug>_.',
    example: 'Bucket name invalid',
  },
  bucketNotEmpty: {
    status: 400,
    body: [409, 'ResourceNotEmpty', 'ResourceNotEmpty'],
    link: 'bucket',
    cause: 'The bucket still contains files.',
    remedy: 'Empty the bucket first.',
    example: 'The bucket you tried to delete is not empty',
  },
  tooManyObjects: {
    status: 400,
    body: [409, 'InvalidRequest', 'InvalidRequest'],
    cause: 'The request names too many files.',
    remedy: 'Send fewer files in one request.',
    example: 'Unable to empty the bucket because it contains too many objects',
  },
  invalidMimeType: {
    status: 400,
    body: [415, 'invalid_mime_type', 'InvalidMimeType'],
    link: 'bucket',
    cause: 'The bucket does not accept files of this type.',
    remedy: 'Send another content-type, or change the bucket’s allowed types.',
    example: 'mime type text/plain is not supported',
  },
  // The status is 403 when row-level security refuses a write.
  rowRefused: {
    status: 403,
    body: [403, 'Unauthorized', 'AccessDenied'],
    link: 'role',
    cause: 'The token’s role may not write. anon can only read public buckets.',
    remedy:
      'Exchange a data_plane_token, or on a server the service_role key, for a storage token. In the answer, "role" is the token’s role, and "pode_escrever" (may write) is true.',
    says: 'row-level security',
    example: 'new row violates row-level security policy',
  },
  accessDenied: {
    status: 400,
    body: [403, 'Unauthorized', 'AccessDenied'],
    link: 'role',
    cause: 'The token may not do this.',
    remedy: 'Manage buckets with a token exchanged for the service_role key.',
    says: '^Access denied$',
    example: 'Access denied',
  },
  badBearer: {
    status: 400,
    body: [403, 'Unauthorized', 'AccessDenied'],
    link: 'credential',
    cause: 'The storage token has expired or was altered, or its project or user no longer exists.',
    remedy: 'Exchange a credential at POST /st/v1/token again.',
    says: 'JW[ST]|signature|claim|token|project|user',
    example: '"exp" claim timestamp check failed',
  },
  // The status is 401 when the project's keys were regenerated after the token was issued.
  revokedBearer: {
    status: 401,
    body: [401, 'Unauthorized', 'AccessDenied'],
    link: 'credential',
    cause: 'The project’s keys were regenerated after the token was issued.',
    remedy: 'Exchange a new key, or the data_plane_token of a new session, at POST /st/v1/token.',
    says: 'regenerated',
    example: 'The project’s keys were regenerated.',
  },
  // The status is 401 when a request has an API key instead of a storage token.
  directKey: {
    status: 401,
    body: [401, 'Unauthorized', 'AccessDenied'],
    link: 'credential',
    cause: 'The request sent a key or token of the platform. Storage accepts only storage tokens.',
    remedy: 'Exchange the key or token at POST /st/v1/token first.',
    says: 'credential of the platform',
    example: 'This is a credential of the platform, and storage takes storage tokens only.',
  },
  roleRefused: {
    status: 403,
    body: [403, 'Unauthorized', 'AccessDenied'],
    link: 'role',
    cause: 'The token’s role may not use this route.',
    remedy: 'Use a token exchanged for the service_role key.',
    says: 'Invalid role',
    example: 'Access denied: Invalid role',
  },
  invalidJwt: {
    status: 400,
    body: [400, 'InvalidJWT', 'InvalidJWT'],
    link: 'claims',
    cause: 'The signed address has expired, or its token was altered.',
    remedy: 'Sign the file again. expiresIn is in seconds.',
    example: '"exp" claim timestamp check failed',
  },
  invalidSignature: {
    status: 400,
    body: [400, 'InvalidSignature', 'InvalidSignature'],
    link: 'claims',
    cause: 'The token was signed for another file or another purpose.',
    remedy: 'Use the signed address without changes.',
    example: 'Invalid signature',
  },
  invalidRequest: {
    status: 400,
    body: [400, 'Error', 'InvalidRequest'],
    cause: 'A field of the request is missing or invalid.',
    remedy: 'Correct the field that the message names.',
  },
  invalidParameter: {
    status: 400,
    body: [400, 'InvalidParameter', 'InvalidParameter'],
    cause: 'A parameter has an invalid value.',
    remedy: 'Correct the parameter that the message names.',
    example: 'Invalid Parameter continuation token',
  },
  invalidSizeText: {
    status: 400,
    body: [400, 'InvalidRequest', 'InvalidRequest'],
    cause: 'The size is neither a number of bytes nor a string such as "50MB".',
    remedy: 'Send a number of bytes, or a string such as "50MB".',
    example: 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B',
  },
  invalidRobotsTag: {
    status: 400,
    body: [400, 'invalid_x_robots_tag', 'InvalidRequest'],
    cause: 'The robots rules are not valid.',
    remedy: 'Use the rules of the header X-Robots-Tag.',
    example: 'Invalid X-Robots-Tag header: x',
  },
  unreadableBody: {
    status: 400,
    body: [400, 'FastifyError', 'InvalidRequest'],
    cause: 'The body does not match its content-type.',
    remedy: 'Send JSON, or leave the content-type out.',
    example: "Body cannot be empty when content-type is set to 'application/json'",
  },
  routeNotFound: {
    status: 404,
    body: [404, 'Not Found', 'InvalidRequest'],
    cause: 'Storage has no such route.',
    remedy: 'Compare the path with the requests of the client library.',
  },
  featureOff: {
    status: 403,
    body: [403, 'FeatureNotEnabled', 'FeatureNotEnabled'],
    link: 'project',
    cause: 'This feature is disabled.',
    remedy: 'Use the API without this feature.',
    example: 'feature not enabled for this tenant',
  },
  invalidRange: {
    status: 416,
    body: [416, 'invalid_range', 'InvalidRange'],
    cause: 'The range is outside the file.',
    remedy: 'Request a range within the file’s size.',
    example: 'invalid range provided',
  },
  invalidImage: {
    status: 400,
    body: [400, 'InvalidRequest', 'InvalidRequest'],
    link: 'object',
    cause: 'The file is not an image that can be transformed.',
    remedy: 'Request the file itself.',
  },
  locked: {
    status: 400,
    body: [423, 'ResourceLocked', 'ResourceLocked'],
    link: 'object',
    cause: 'Another upload of the same file is in progress.',
    remedy: 'Repeat the request when that upload has ended.',
    example: 'The resource is locked',
  },
  overloaded: {
    status: 429,
    body: [429, 'too_many_connections', 'SlowDown'],
    link: 'quota',
    cause: 'Storage received too many requests at once.',
    remedy: 'Repeat the request later.',
    example: 'Too many connections issued to the database',
  },
  clientGone: {
    status: 499,
    body: [499, 'AbortedTerminate', 'AbortedTerminate'],
    cause: 'The client closed the connection before the request was complete.',
    remedy: 'Check why the client stopped. Nothing has to change in the emulator.',
  },
  diskFull: {
    status: 500,
    body: [500, 'Internal', 'InternalError'],
    link: 'fault',
    cause: 'The disk of the data directory is full.',
    remedy: 'Free some space, then repeat the request.',
    says: 'disk|space',
    example: 'The disk of the data directory is full.',
  },
} as const

/** Names a situation. Callers see `code` of `body`, which several situations share. */
export type StorageErrorCode = keyof typeof ROWS | 'tooLarge' | 'internal' | 'unavailable'

export const STORAGE_REFUSALS: RefusalTable<StorageErrorCode, StorageRow> = {
  ...ROWS,
  tooLarge: {
    status: 400,
    body: [413, 'Payload too large', 'EntityTooLarge'],
    link: 'quota',
    cause: `The file is larger than the bucket allows. Buckets created in the dashboard allow ${PLATFORM_BUCKET_LIMIT}.`,
    remedy: 'Raise the bucket’s file_size_limit.',
    example: 'The object exceeded the maximum allowed size',
  },
  internal: {
    ...internalRefusal('Storage failed with an internal error.'),
    body: [500, 'Internal', 'InternalError'],
  },
  unavailable: { ...UNAVAILABLE, body: [503, 'ServiceUnavailable', 'SlowDown'] },
}

/** Finds the row of an answer by the body's `code`, the status of the response and the message. */
export function storageRefusal(
  code: string,
  status: number,
  message: string,
): StorageRow | undefined {
  const named = Object.values<StorageRow>(STORAGE_REFUSALS).filter(({ body }) => body[2] === code)
  const exact = named.filter((row) => row.status === status)
  const candidates = exact.length > 0 ? exact : named
  return (
    candidates.find(({ says }) => says !== undefined && new RegExp(says, 'i').test(message)) ??
    candidates[0]
  )
}
