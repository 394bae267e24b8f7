// Refusals of object storage, one entry per situation (docs/wire/storage.md#errors), and those of S3.
import { PLATFORM_BUCKET_LIMIT } from '../../platform/projects/quotas.ts'
import type { StorageErrorCode } from '../../services/storage/errors.ts'
import { type Advice, advice, internalFailure, UNAVAILABLE } from './advice.ts'

export const STORAGE_ADVICE: Readonly<Record<StorageErrorCode, Advice>> = {
  objectNotFound: advice(
    'object',
    'The file does not exist, or the token may not see it. Private buckets hide their files.',
    'If the file exists, use another credential and the same path.',
  ),
  bytesMissing: advice(
    'object',
    'The file is registered, but its bytes are missing. The data directory was changed from outside.',
    'Upload the file again.',
  ),
  bucketNotFound: advice(
    'bucket',
    'The bucket does not exist for this token. The bucket may be private or belong to another project.',
    'Read private buckets with a storage token, and public ones below /object/public.',
  ),
  objectExists: advice(
    'object',
    'A file with this name exists.',
    'Upload with x-upsert: true to replace it.',
  ),
  bucketExists: advice(
    'bucket',
    'A bucket with this name exists.',
    'Use this bucket, or choose another name.',
  ),
  resourceExists: advice('object', 'A resource with this name exists.', 'Choose another name.'),
  invalidKey: advice(
    'object',
    'The file name has characters that storage does not accept, such as accented letters.',
    'Upload under a name without accents, and keep the original name elsewhere.',
  ),
  invalidBucketName: advice(
    'bucket',
    'The bucket’s name does not start with the prefix of this project.',
    'Start the name with proj_<slug>_.',
  ),
  bucketNotEmpty: advice('bucket', 'The bucket still contains files.', 'Empty the bucket first.'),
  tooManyObjects: advice(
    'request',
    'The request names too many files.',
    'Send fewer files in one request.',
  ),
  invalidMimeType: advice(
    'bucket',
    'The bucket does not accept files of this type.',
    'Send another content-type, or change the bucket’s allowed types.',
  ),
  tooLarge: advice(
    'quota',
    `The file is larger than the bucket allows. Buckets created in the dashboard allow ${PLATFORM_BUCKET_LIMIT}.`,
    'Raise the bucket’s file_size_limit.',
  ),
  rowRefused: advice(
    'role',
    'The token’s role may not write. anon can only read public buckets.',
    'Exchange a data_plane_token, or on a server the service_role key, for a storage token. In the answer, "role" is the token’s role, and "pode_escrever" (may write) is true.',
  ),
  accessDenied: advice(
    'role',
    'The token may not do this.',
    'Manage buckets with a token exchanged for the service_role key.',
  ),
  badBearer: advice(
    'credential',
    'The storage token has expired or was altered, or its project or user no longer exists.',
    'Exchange a credential at POST /st/v1/token again.',
  ),
  revokedBearer: advice(
    'credential',
    'The project’s keys were regenerated after the token was issued.',
    'Exchange a new key, or the data_plane_token of a new session, at POST /st/v1/token.',
  ),
  directKey: advice(
    'credential',
    'The request sent a key or token of the platform. Storage accepts only storage tokens.',
    'Exchange the key or token at POST /st/v1/token first.',
  ),
  roleRefused: advice(
    'role',
    'The token’s role may not use this route.',
    'Use a token exchanged for the service_role key.',
  ),
  invalidJwt: advice(
    'claims',
    'The signed address has expired, or its token was altered.',
    'Sign the file again. expiresIn is in seconds.',
  ),
  invalidSignature: advice(
    'claims',
    'The token was signed for another file or another purpose.',
    'Use the signed address without changes.',
  ),
  invalidRequest: advice(
    'request',
    'A field of the request is missing or invalid.',
    'Correct the field that the message names.',
  ),
  invalidParameter: advice(
    'request',
    'A parameter has an invalid value.',
    'Correct the parameter that the message names.',
  ),
  invalidSizeText: advice(
    'request',
    'The size is neither a number of bytes nor a string such as "50MB".',
    'Send a number of bytes, or a string such as "50MB".',
  ),
  invalidRobotsTag: advice(
    'request',
    'The robots rules are not valid.',
    'Use the rules of the header X-Robots-Tag.',
  ),
  unreadableBody: advice(
    'request',
    'The body does not match its content-type.',
    'Send JSON, or leave the content-type out.',
  ),
  routeNotFound: advice(
    'request',
    'Storage has no such route.',
    'Compare the path with the requests of the client library.',
  ),
  featureOff: advice('project', 'This feature is disabled.', 'Use the API without this feature.'),
  invalidRange: advice(
    'request',
    'The range is outside the file.',
    'Request a range within the file’s size.',
  ),
  invalidImage: advice(
    'object',
    'The file is not an image that can be transformed.',
    'Request the file itself.',
  ),
  locked: advice(
    'object',
    'Another upload of the same file is in progress.',
    'Repeat the request when that upload has ended.',
  ),
  overloaded: advice(
    'quota',
    'Storage received too many requests at once.',
    'Repeat the request later.',
  ),
  clientGone: advice(
    'request',
    'The client closed the connection before the request was complete.',
    'Check why the client stopped. Nothing has to change in the emulator.',
  ),
  diskFull: advice(
    'fault',
    'The disk of the data directory is full.',
    'Free some space, then repeat the request.',
  ),
  unavailable: UNAVAILABLE,
  internal: internalFailure('Storage'),
}

/** Advice for codes that only S3 clients receive. */
export const S3_ADVICE: Readonly<Record<string, Advice>> = {
  InvalidAccessKeyId: advice(
    'credential',
    'The S3 access key does not exist. The key was revoked, or belongs to another project or emulator.',
    'Create a key in the inspector, under Storage.',
  ),
  SignatureDoesNotMatch: advice(
    'credential',
    'The signature does not match. The secret, region or address that the client signed with differs from the one that the emulator expects.',
    'Use the endpoint, region and secret shown when the key was created, with path-style addresses.',
  ),
  AccessDenied: advice(
    'credential',
    'The request is not signed, its presigned URL has expired, or the policy of its form does not allow it.',
    'Read the reason in the message. Give the client an S3 access key, or sign the URL or form again.',
  ),
  AuthorizationQueryParametersError: advice(
    'credential',
    'The lifetime of the presigned URL is missing, or not between 1 second and 7 days.',
    'Sign the URL again with a lifetime of at most 604,800 seconds.',
  ),
  BadDigest: advice(
    'request',
    'The checksum does not match the bytes that arrived. Nothing was stored.',
    'Send the bytes again. If the upload fails again, compute the checksum over the bytes as they are sent.',
  ),
  InvalidPolicyDocument: advice(
    'request',
    'The policy of the form is not a base64-encoded JSON object with expiration and conditions.',
    'Create the form with an S3 SDK, for example with createPresignedPost.',
  ),
  MalformedTrailerError: advice(
    'request',
    'The trailer of the body differs from the checksums that x-amz-trailer announces.',
    'Send the announced trailer, or neither the header nor a trailer.',
  ),
  MalformedXML: advice(
    'request',
    'The XML body is not well-formed, has the wrong document type, or is too large.',
    'Correct the part of the XML that the message names.',
  ),
  NotImplemented: advice(
    'request',
    'The platform does not support this part of S3, for example tags, access lists or locks. The object was not changed.',
    'Remove this call from the program.',
  ),
  PreconditionFailed: advice(
    'object',
    'The object does not match If-Match, If-None-Match or a date of the request.',
    'Read the object’s current ETag, then decide whether to write.',
  ),
  NoSuchUpload: advice(
    'object',
    'The multipart upload does not exist, or has ended.',
    'Start a new upload.',
  ),
}
