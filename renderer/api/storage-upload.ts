// Uploads objects with progress, for the storage screen. Small files take one request. Larger files use the resumable route (Tus
// 1.0.0) with pieces of 6 MB, as documented.
import type { DetailedError } from 'tus-js-client'
import { INSPECTOR_MARK } from '../../emulator/contract/operation.ts'
import { ApiError } from './client.ts'
import { type ObjectPlace, pathOf } from './storage.ts'
import { openStorage, StorageRefusal, storageRefusalOf } from './storage-door.ts'

const PIECE_BYTES = 6 * 1024 * 1024

export interface UploadOptions {
  /** Whether the upload replaces an existing object with the same key. */
  readonly isReplacing: boolean
  /** The upload calls this function with the number of bytes sent so far. */
  readonly onProgress: (bytes: number) => void
  readonly signal: AbortSignal
}

/** @throws {StorageRefusal} */
export async function uploadObject(
  place: ObjectPlace,
  file: Blob,
  options: UploadOptions,
): Promise<void> {
  const { token, url } = await openStorage(place.project, place.identity)
  if (file.size > PIECE_BYTES) return uploadInPieces(url, token, place, file, options)
  return uploadAtOnce(`${url}/object/${pathOf(place)}`, token, file, options)
}

// Uses XMLHttpRequest, because fetch reports no upload progress.
function uploadAtOnce(
  url: string,
  token: string,
  file: Blob,
  { isReplacing, onProgress, signal }: UploadOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.setRequestHeader('cache-control', 'max-age=3600')
    request.setRequestHeader('x-upsert', String(isReplacing))
    request.setRequestHeader(INSPECTOR_MARK, '1')
    request.upload.onprogress = (event) => onProgress(event.loaded)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return resolve()
      const requestId = request.getResponseHeader('x-request-id')
      const headers = requestId === null ? {} : { 'x-request-id': requestId }
      const answer = new Response(request.responseText, { status: request.status, headers })
      storageRefusalOf(answer).then(reject, reject)
    }
    request.onerror = () => reject(unreachable())
    request.onabort = () => reject(cancelled())
    signal.addEventListener('abort', () => request.abort(), { once: true })
    if (signal.aborted) return reject(cancelled())
    request.send(file)
  })
}

// Downloads the Tus client library only for the first large file. The library retries a piece after network errors and 5xx
// responses.
async function uploadInPieces(
  url: string,
  token: string,
  { bucket, key }: ObjectPlace,
  file: Blob,
  { isReplacing, onProgress, signal }: UploadOptions,
): Promise<void> {
  const { Upload } = await import('tus-js-client')
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: `${url}/upload/resumable`,
      chunkSize: PIECE_BYTES,
      headers: {
        authorization: `Bearer ${token}`,
        'x-upsert': String(isReplacing),
        [INSPECTOR_MARK]: '1',
      },
      metadata: {
        bucketName: bucket,
        objectName: key,
        contentType: file.type || 'application/octet-stream',
        cacheControl: '3600',
      },
      storeFingerprintForResuming: false,
      onProgress,
      onSuccess: () => resolve(),
      onError: (error) => reject(tusRefusal(error)),
    })
    signal.addEventListener(
      'abort',
      () => {
        void upload.abort()
        reject(cancelled())
      },
      { once: true },
    )
    if (signal.aborted) return reject(cancelled())
    upload.start()
  })
}

// The error is in a text body, because Tus errors are not JSON.
function tusRefusal(error: Error | DetailedError): ApiError {
  const response = 'originalResponse' in error ? error.originalResponse : null
  if (response === null) return unreachable()
  const status = response.getStatus()
  const message = response.getBody().trim() || `The storage service returned ${status}.`
  const refusal = new ApiError(status, `http_${status}`, message)
  return new StorageRefusal(refusal, response.getHeader('x-request-id') ?? null)
}

function unreachable(): ApiError {
  return new ApiError(
    0,
    'unreachable',
    'The emulator does not answer.',
    'Check that it is still running.',
  )
}

function cancelled(): DOMException {
  return new DOMException('The user cancelled the upload.', 'AbortError')
}
