// Renders errors in S3's format: XML, with the real HTTP status (docs/wire/storage.md#s3). Errors of storage itself keep their
// own code and logical status.
import { EmulatorError } from '../../../core/errors.ts'
import { namedFailure, RenderedRefusal, StorageError } from '../errors.ts'
import { S3_REFUSALS, type S3ErrorCode } from './s3-refusals.ts'
import { element, XML_HEADERS, xmlDocument } from './xml.ts'

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
  if (error instanceof S3Error)
    return inXml(S3_REFUSALS[error.code].status, error.code, error, resource)
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
