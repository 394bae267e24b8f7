// Renders errors in S3's format: XML, with the real HTTP status (docs/wire/storage.md#s3). Errors of storage itself keep their
// own code and logical status.
import { EmulatorError } from '../../../core/errors.ts'
import { namedFailure, RenderedRefusal, StorageError } from '../errors.ts'
import { element, XML_HEADERS, xmlDocument } from './xml.ts'

/** HTTP statuses of the codes that only S3 routes return. */
export const S3_STATUS = {
  AccessDenied: 403,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidDigest: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidPolicyDocument: 400,
  InvalidRequest: 400,
  MalformedPOSTRequest: 400,
  MalformedTrailerError: 400,
  MalformedXML: 400,
  MethodNotAllowed: 405,
  NoSuchUpload: 404,
  NoSuchVersion: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  SignatureDoesNotMatch: 403,
  XAmzContentSHA256Mismatch: 400,
} as const

export type S3ErrorCode = keyof typeof S3_STATUS

/** An error that only S3 routes return. */
export class S3Error extends EmulatorError {
  override readonly code: S3ErrorCode

  constructor(code: S3ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** S3's names for codes that S3 and storage name differently. */
const S3_NAMES: Readonly<Record<string, string>> = {
  ResourceNotEmpty: 'BucketNotEmpty',
  InvalidMimeType: 'InvalidRequest',
}

/** Renders an error of S3 or storage as XML. Returns any other error unchanged. */
export function refusalInXml(error: unknown, resource: string): unknown {
  if (error instanceof S3Error) return inXml(S3_STATUS[error.code], error.code, error, resource)
  const refusal = namedFailure(error)
  if (refusal instanceof StorageError)
    return inXml(refusal.logicalStatus, codeOf(refusal), refusal, resource, refusal.headers)
  return error
}

/** Returns the error's code as S3 names it. */
export function codeOf(error: S3Error | StorageError): string {
  if (error instanceof S3Error) return error.code
  return S3_NAMES[error.wireCode] ?? error.wireCode
}

function inXml(
  status: number,
  code: string,
  error: EmulatorError,
  resource: string,
  headers: Readonly<Record<string, string>> = {},
): RenderedRefusal {
  const { message } = error
  const content = [
    element('Resource', resource),
    element('Code', code),
    element('Message', message),
  ]
  const body = xmlDocument('Error', content, '')
  return new RenderedRefusal(
    { status, headers: { ...headers, ...XML_HEADERS }, body, code, message },
    error,
  )
}
