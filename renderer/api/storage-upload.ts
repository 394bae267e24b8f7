// Uploading with progress: small files in one request, larger ones piece by piece over the resumable route (Tus 1.0.0), whose
// documented pieces are 6 MB.
import { ApiError, platformFetch } from './client.ts'
import { type ObjectPlace, pathOf } from './storage.ts'
import { openStorage, StorageRefusal, storageRefusalOf } from './storage-door.ts'

const PIECE_BYTES = 6 * 1024 * 1024

export interface UploadOptions {
  /** Replaces an object of the same key. */
  readonly isReplacing: boolean
  /** Bytes that arrived. */
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

// fetch tells no progress of what it sends; XMLHttpRequest does.
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

async function uploadInPieces(
  url: string,
  token: string,
  { bucket, key }: ObjectPlace,
  file: Blob,
  { isReplacing, onProgress, signal }: UploadOptions,
): Promise<void> {
  const shared = { 'tus-resumable': '1.0.0', 'x-upsert': String(isReplacing) }
  const metadata = {
    bucketName: bucket,
    objectName: key,
    contentType: file.type || 'application/octet-stream',
    cacheControl: '3600',
  }
  const made = await platformFetch(`${url}/upload/resumable`, {
    method: 'POST',
    credential: token,
    signal,
    headers: {
      ...shared,
      'upload-length': String(file.size),
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${base64Of(value)}`)
        .join(','),
    },
  })
  const location = made.headers.get('location')
  if (!made.ok || location === null) throw await tusRefusal(made)
  const address = new URL(location, url).href
  for (let offset = 0; offset < file.size; ) {
    const response = await platformFetch(address, {
      method: 'PATCH',
      credential: token,
      signal,
      headers: {
        ...shared,
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: file.slice(offset, offset + PIECE_BYTES),
    })
    const arrived = Number(response.headers.get('upload-offset'))
    if (!response.ok || !(arrived > offset)) throw await tusRefusal(response)
    offset = arrived
    onProgress(offset)
  }
}

// The protocol's refusals are texts.
async function tusRefusal(response: Response): Promise<StorageRefusal> {
  const message = (await response.text()).trim() || `The answer was ${response.status}.`
  const refusal = new ApiError(response.status, `http_${response.status}`, message)
  return new StorageRefusal(refusal, response.headers.get('x-request-id'))
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

function unreachable(): ApiError {
  return new ApiError(0, 'unreachable', 'The emulator does not answer.', 'Is it still running?')
}

function cancelled(): DOMException {
  return new DOMException('The upload was cancelled.', 'AbortError')
}
