// Creates the refusals of object storage in three formats: JSON, the plain text of TUS, the XML of S3
// (docs/wire/storage.md#errors).

import { RenderedRefusal, refuse, StorageError } from '../../../services/storage/errors.ts'
import { STORAGE_REFUSALS } from '../../../services/storage/refusals.ts'
import { refusalInXml, S3Error } from '../../../services/storage/s3/s3-error.ts'
import { S3_REFUSALS } from '../../../services/storage/s3/s3-refusals.ts'
import { type ErrorSource, errorSource, joined } from './error-source.ts'

export const STORAGE_ERRORS: ErrorSource = errorSource(STORAGE_REFUSALS, (code, _row, request) => {
  if (code === 'invalidKey') return refuse.invalidKey(keyOf(request.target))
  return code === 'bytesMissing' ? refuse.bytesMissing() : new StorageError(code)
})

/** TUS responses have the logical status, and only the message as body (docs/wire/storage.md#errors). */
export const TUS_ERRORS: ErrorSource = {
  codes: STORAGE_ERRORS.codes,
  make: (code, request) => {
    const outcome = STORAGE_ERRORS.make(code, request)
    const error = outcome.kind === 'error' ? outcome.error : undefined
    if (!(error instanceof StorageError)) return outcome
    const { logicalStatus: status, wireCode, message } = error
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'tus-resumable': '1.0.0' }
    const rendered = { status, headers, body: message, code: wireCode, message }
    return { kind: 'error', error: new RenderedRefusal(rendered, error) }
  },
}

const ALL_OF_S3 = joined(
  errorSource(S3_REFUSALS, (code, { cause, example = cause }) => new S3Error(code, example)),
  STORAGE_ERRORS,
)

export const S3_ERRORS: ErrorSource = {
  codes: ALL_OF_S3.codes,
  make: (code, request) => {
    const outcome = ALL_OF_S3.make(code, request)
    if (outcome.kind !== 'error') return outcome
    const resource = request.target.replace(/^(\/storage\/v1)?\/s3/, '').split('?')[0] ?? ''
    return { kind: 'error', error: refusalInXml(outcome.error, resource) }
  },
}

// Returns the object key: the last segment of the path.
function keyOf(target: string): string {
  const [path = ''] = target.split('?')
  return path.slice(path.lastIndexOf('/') + 1)
}
