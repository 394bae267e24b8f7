// Refusals of object storage, one entry per situation (docs/wire/storage.md#errors), and S3's own.
import { PLATFORM_BUCKET_LIMIT } from '../projects/quotas.ts'
import type { StorageErrorCode } from '../storage/errors.ts'
import { type Advice, advice } from './advice.ts'

export const STORAGE_ADVICE: Readonly<Record<StorageErrorCode, Advice>> = {
  objectNotFound: advice(
    'object',
    'There is no such file, or this token may not see it: private storage hides what it does not show.',
    'If the file exists, the credential is the wrong one, not the path.',
  ),
  bytesMissing: advice(
    'object',
    'The record is there, its bytes are not.',
    'Upload the file again; the data directory was changed from outside.',
  ),
  bucketNotFound: advice(
    'bucket',
    'There is no such bucket for this token: it may be private, or another project’s.',
    'Read private buckets with a storage token, public ones below /object/public.',
  ),
  objectExists: advice(
    'object',
    'There is a file of this name.',
    'Upload with x-upsert: true to replace it.',
  ),
  bucketExists: advice(
    'bucket',
    'There is a bucket of this name.',
    'Use it, or choose another name.',
  ),
  resourceExists: advice('object', 'There is something of this name.', 'Choose another name.'),
  invalidKey: advice(
    'object',
    'The name has characters that storage refuses, such as accented letters.',
    'Store the original name elsewhere and upload under an unaccented one.',
  ),
  invalidBucketName: advice(
    'bucket',
    'The bucket’s name is not one of this project.',
    'Begin it with proj_<slug>_.',
  ),
  bucketNotEmpty: advice('bucket', 'There are files in the bucket.', 'Empty it first.'),
  tooManyObjects: advice('request', 'Too many files in one call.', 'Send fewer.'),
  invalidMimeType: advice(
    'bucket',
    'The bucket does not take files of this type.',
    'Send another content-type, or change the bucket’s allowed types.',
  ),
  tooLarge: advice(
    'quota',
    `The file is larger than the bucket takes; buckets made in the dashboard take ${PLATFORM_BUCKET_LIMIT}.`,
    'Raise the bucket’s file_size_limit.',
  ),
  rowRefused: advice(
    'role',
    'The token’s role may not write: anon reads public buckets and writes nowhere.',
    'Exchange a data_plane_token or, on a server, the service_role key; see role and pode_escrever in the answer.',
  ),
  accessDenied: advice(
    'role',
    'The token may not do this.',
    'Buckets are administered with a token made of the service_role key.',
  ),
  badBearer: advice(
    'credential',
    'The storage token is late, changed, or its project or user is gone.',
    'Exchange a credential at POST /st/v1/token again.',
  ),
  revokedBearer: advice(
    'credential',
    'The project’s keys were regenerated after the token was made.',
    'Exchange a new key, or the token of a new session.',
  ),
  directKey: advice(
    'credential',
    'A key or token of the platform was sent directly; storage takes storage tokens only.',
    'Exchange it at POST /st/v1/token first.',
  ),
  roleRefused: advice(
    'role',
    'The token’s role may not do this here.',
    'Use a token made of the service_role key.',
  ),
  invalidJwt: advice(
    'claims',
    'The signed address has expired, or its token was changed.',
    'Sign the file again; expiresIn is in seconds.',
  ),
  invalidSignature: advice(
    'claims',
    'The token was signed for another file or another purpose.',
    'Use the whole address as it was signed.',
  ),
  invalidRequest: advice(
    'request',
    'Something is missing or not in form.',
    'The message names it.',
  ),
  invalidParameter: advice(
    'request',
    'A parameter has a value it cannot have.',
    'The message names it.',
  ),
  invalidSizeText: advice('request', 'The size is no size.', 'Send bytes, or a text like 50MB.'),
  invalidRobotsTag: advice(
    'request',
    'The rules for robots are none.',
    'See the header X-Robots-Tag.',
  ),
  unreadableBody: advice(
    'request',
    'The body is not what its content-type says.',
    'Send JSON, or no content-type.',
  ),
  routeNotFound: advice(
    'request',
    'There is no such route in storage.',
    'Compare it with the client library’s.',
  ),
  featureOff: advice('project', 'This feature is off.', 'Do without it here.'),
  invalidRange: advice('request', 'The range lies outside the file.', 'Ask for a smaller one.'),
  invalidImage: advice(
    'object',
    'The file is no picture that can be changed.',
    'Ask for the file itself.',
  ),
  locked: advice(
    'object',
    'Somebody else is uploading the same file.',
    'Repeat when that has ended.',
  ),
  overloaded: advice('quota', 'Too much at once.', 'Repeat a little later.'),
  clientGone: advice('request', 'The client went away before the end.', 'Nothing to do here.'),
  diskFull: advice('fault', 'The disk is full.', 'Make room where the data directory is.'),
  unavailable: advice(
    'fault',
    'The database was busy with other work, or was starting again.',
    'Repeat the request after the seconds that Retry-After names.',
  ),
  internal: advice(
    'fault',
    'Storage failed.',
    'The terminal has the cause under the request’s id.',
  ),
}

/** Codes that only S3 clients meet. */
export const S3_ADVICE: Readonly<Record<string, Advice>> = {
  InvalidAccessKeyId: advice(
    'credential',
    'There is no such S3 access key: it was revoked, or belongs to another project or emulator.',
    'Mint one in the inspector, under Storage.',
  ),
  SignatureDoesNotMatch: advice(
    'credential',
    'The secret, the region or the address of the client is another than the one signed with.',
    'Take endpoint, region and secret as they were told when the key was minted; use path style.',
  ),
  AccessDenied: advice(
    'credential',
    'The request is not signed, its presigned URL has expired, or the policy of its form does not allow it.',
    'The message says which. Give the client an S3 access key, or sign the URL or the form again.',
  ),
  AuthorizationQueryParametersError: advice(
    'credential',
    'The presigned URL names no lifetime from 1 second to 7 days.',
    'Sign it again with a lifetime of at most 604,800 seconds.',
  ),
  BadDigest: advice(
    'request',
    'The bytes that arrived do not have the checksum the client sent with them. Nothing was stored.',
    'Send them again; if it fails again, compute the checksum over the bytes as they are sent.',
  ),
  InvalidPolicyDocument: advice(
    'request',
    'The policy of the form is no JSON object in base64 with expiration and conditions.',
    'Create the form with an S3 SDK, such as createPresignedPost.',
  ),
  MalformedTrailerError: advice(
    'request',
    'The body does not end in exactly the checksums that x-amz-trailer announces.',
    'Send the announced trailer, or neither the header nor a trailer.',
  ),
  MalformedXML: advice(
    'request',
    'The XML body is not well-formed, is not the document the operation takes, or is too large.',
    'The message gives the reason.',
  ),
  NotImplemented: advice(
    'request',
    'The request is for a part of S3 that the platform does not have, such as tags, access lists or locks.',
    'Leave that call out; the object was not touched.',
  ),
  PreconditionFailed: advice(
    'object',
    'The object is not in the state that If-Match, If-None-Match or a date of the request asks for.',
    'Read its current ETag, then decide whether to write.',
  ),
  NoSuchUpload: advice(
    'object',
    'The upload in parts was ended or never begun.',
    'Begin it again.',
  ),
}
