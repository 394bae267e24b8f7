// The error codes that only S3 routes return, with S3's names and statuses (docs/wire/storage.md#s3).
import type { RefusalTable } from '../../../core/refusals.ts'

const ROWS = {
  AccessDenied: {
    status: 403,
    link: 'credential',
    cause:
      'The request is not signed, its presigned URL has expired, or the policy of its form does not allow it.',
    remedy:
      'Read the reason in the message. Give the client an S3 access key, or sign the URL or form again.',
  },
  AuthorizationQueryParametersError: {
    status: 400,
    link: 'credential',
    cause: 'The lifetime of the presigned URL is missing, or not between 1 second and 7 days.',
    remedy: 'Sign the URL again with a lifetime of at most 604,800 seconds.',
  },
  BadDigest: {
    status: 400,
    cause: 'The checksum does not match the bytes that arrived. Nothing was stored.',
    remedy:
      'Send the bytes again. If the upload fails again, compute the checksum over the bytes as they are sent.',
  },
  EntityTooSmall: {
    status: 400,
    cause: 'The uploaded form is smaller than its policy allows.',
    remedy: 'Send a file within the content-length-range of the policy.',
    example: 'The request of an S3 client is malformed.',
  },
  IncompleteBody: {
    status: 400,
    cause: 'The body ended before the announced number of bytes.',
    remedy: 'Send the whole body, or announce its real length.',
    example: 'The request of an S3 client is malformed.',
  },
  InvalidAccessKeyId: {
    status: 403,
    link: 'credential',
    cause:
      'The S3 access key does not exist. The key was revoked, or belongs to another project or emulator.',
    remedy: 'Create a key in the inspector, under Storage.',
  },
  InvalidArgument: {
    status: 400,
    cause: 'A header or query parameter has an invalid value.',
    remedy: 'Correct the value that the message names.',
    example: 'The request of an S3 client is malformed.',
  },
  InvalidDigest: {
    status: 400,
    cause: 'The checksum header is not a checksum of the named algorithm.',
    remedy: 'Send the base64-encoded checksum of the body.',
    example: 'The request of an S3 client is malformed.',
  },
  InvalidPart: {
    status: 400,
    cause: 'A named part was not uploaded with this ETag.',
    remedy: 'Name each part with the ETag that its upload returned.',
    example: 'The request of an S3 client is malformed.',
  },
  InvalidPartOrder: {
    status: 400,
    cause: 'The parts are not named in ascending order.',
    remedy: 'Sort the parts by their number.',
    example: 'The request of an S3 client is malformed.',
  },
  InvalidPolicyDocument: {
    status: 400,
    cause:
      'The policy of the form is not a base64-encoded JSON object with expiration and conditions.',
    remedy: 'Create the form with an S3 SDK, for example with createPresignedPost.',
  },
  InvalidRequest: {
    status: 400,
    cause: 'A field of the request is missing or invalid.',
    remedy: 'Correct the field that the message names.',
    example: 'The request of an S3 client is malformed.',
  },
  MalformedPOSTRequest: {
    status: 400,
    cause: 'The body is not a valid multipart form.',
    remedy: 'Send multipart/form-data with the fields of the signed form.',
    example: 'The request of an S3 client is malformed.',
  },
  MalformedTrailerError: {
    status: 400,
    cause: 'The trailer of the body differs from the checksums that x-amz-trailer announces.',
    remedy: 'Send the announced trailer, or neither the header nor a trailer.',
  },
  MalformedXML: {
    status: 400,
    cause: 'The XML body is not well-formed, has the wrong document type, or is too large.',
    remedy: 'Correct the part of the XML that the message names.',
  },
  MethodNotAllowed: {
    status: 405,
    cause: 'The S3 resource does not support this method.',
    remedy: 'Use a method that S3 defines for this resource.',
    example: 'The request of an S3 client is malformed.',
  },
  NoSuchUpload: {
    status: 404,
    link: 'object',
    cause: 'The multipart upload does not exist, or has ended.',
    remedy: 'Start a new upload.',
  },
  NoSuchVersion: {
    status: 404,
    cause: 'The platform keeps no versions, and the request names one.',
    remedy: 'Remove versionId from the request.',
    example: 'The request of an S3 client is malformed.',
  },
  NotImplemented: {
    status: 501,
    cause:
      'The platform does not support this part of S3, for example tags, access lists or locks. The object was not changed.',
    remedy: 'Remove this call from the program.',
  },
  PreconditionFailed: {
    status: 412,
    link: 'object',
    cause: 'The object does not match If-Match, If-None-Match or a date of the request.',
    remedy: 'Read the object’s current ETag, then decide whether to write.',
  },
  SignatureDoesNotMatch: {
    status: 403,
    link: 'credential',
    cause:
      'The signature does not match. The secret, region or address that the client signed with differs from the one that the emulator expects.',
    remedy:
      'Use the endpoint, region and secret shown when the key was created, with path-style addresses.',
  },
  XAmzContentSHA256Mismatch: {
    status: 400,
    cause: 'The body does not match x-amz-content-sha256.',
    remedy: 'Compute the hash over the bytes as they are sent, or send UNSIGNED-PAYLOAD.',
    example: 'The request of an S3 client is malformed.',
  },
} as const

export type S3ErrorCode = keyof typeof ROWS

export const S3_REFUSALS: RefusalTable<S3ErrorCode> = ROWS
