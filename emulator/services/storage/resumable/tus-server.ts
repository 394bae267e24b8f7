// Serves TUS 1.0 with the library @tus/server. The hooks of the library run the emulator's checks, and the error responses get
// storage's texts (docs/wire/storage.md#tus). This module is loaded with the first resumable upload, because loading takes
// about 250 ms.
import { ReadableStream } from 'node:stream/web'
import { ERRORS, type Lock, type Locker, Server } from '@tus/server'
import { toHttpDate } from '../../../core/time.ts'
import type { Admit } from '../access/admission.ts'
import { bytesOf } from '../bodies/request-bytes.ts'
import { requireMediaType } from '../buckets/bucket-limits.ts'
import type { Bucket } from '../buckets/bucket-store.ts'
import type { StorageDeps } from '../deps.ts'
import { RenderedRefusal, refuse, StorageError } from '../errors.ts'
import { requireObjectKey } from '../objects/object-key.ts'
import { limitOf, refuseTaken, refuseUnfit } from '../objects/put-object.ts'
import type { StorageCall } from '../storage-call.ts'
import { describe, type NewUpload } from './resumables.ts'
import type { UploadMetadata } from './tus-store.ts'
import { TusStore, uploadIdOf, versionOf } from './tus-store.ts'

export interface TusRequest {
  /** The `objectKey` of the call is the id of the upload, or empty in requests that create an upload. */
  readonly call: StorageCall
  readonly admit: Admit
  /** Path of the upload collection below the storage URL, e.g. `/upload/resumable`. */
  readonly folder: string
}

/** @throws {RenderedRefusal} */
export type TusServer = (request: TusRequest) => Promise<Response>

/** State of one request. The hooks of @tus/server share this state. */
interface Exchange extends TusRequest {
  bucket?: Bucket
  objectKey?: string
  draft?: NewUpload
  version?: string
  /** The error that @tus/server is about to return. */
  refusal?: unknown
}

export function createTusServer(deps: StorageDeps): TusServer {
  // @tus/server passes only the Request to its hooks. This map finds the exchange of a request.
  const exchanges = new WeakMap<object, Exchange>()
  const exchangeOf = (request: object): Exchange => {
    const exchange = exchanges.get(request)
    if (exchange === undefined) throw new TypeError('the library asks for an unknown request')
    return exchange
  }
  const { uploads } = deps

  const server = new Server({
    path: '/upload/resumable',
    datastore: new TusStore(uploads),
    locker: createTusLocker(),
    disableTerminationForFinishedUploads: true,
    getFileIdFromRequest: (request) => exchangeOf(request).call.objectKey,
    generateUrl: (request, { id }) => {
      const { call, folder } = exchangeOf(request)
      return `${call.env.addresses.storageUrl}${folder}/${id}`
    },
    namingFunction: async (request, metadata) => {
      const exchange = exchangeOf(request)
      const draft = await admitCreation(deps, exchange, metadata ?? {})
      exchange.draft = draft
      exchange.version = draft.version
      return uploadIdOf(draft)
    },
    maxSize: (request) => {
      const { bucket, objectKey = '' } = exchangeOf(request)
      return (bucket && limitOf(bucket, objectKey)) ?? 0
    },
    onUploadCreate: async (request, { size }) => {
      const { bucket, draft } = exchangeOf(request)
      if (bucket === undefined || draft === undefined) throw ERRORS.UNKNOWN_ERROR
      refuseUnfit(bucket, draft.objectKey, describe(draft.metadata).mimeType, size)
      uploads.begin({ ...draft, lengthBytes: size })
      return {}
    },
    onIncomingRequest: (request, id) => admitContinuation(deps, exchangeOf(request), id),
    onUploadFinish: async (_request, { id }) => {
      await uploads.finish(versionOf(id))
      return { headers: { 'Tus-Complete': '1' } }
    },
    onResponseError: (request, error) => {
      exchangeOf(request).refusal = error
      if (!(error instanceof StorageError)) return undefined
      return { status_code: error.logicalStatus, body: error.message }
    },
  })

  return async (request) => {
    const exchange: Exchange = { ...request }
    const forLibrary = withOwnBody(request.call)
    exchanges.set(forLibrary, exchange)
    const response = await server.handleWeb(forLibrary)
    if (response.status >= 400) throw await refusalOf(response, exchange.refusal)
    sayExpiry(deps, exchange, response)
    return response
  }
}

// Runs the checks in the same order as an upload in one request: bucket, body, key, row-level security, duplicate.
async function admitCreation(
  deps: StorageDeps,
  exchange: Exchange,
  metadata: UploadMetadata,
): Promise<NewUpload> {
  const bucketName = requireEntry(metadata, 'bucketName')
  const objectKey = requireEntry(metadata, 'objectName')
  const admitted = await exchange.admit({ ...exchange.call, bucket: bucketName, objectKey })
  const { bucket, ownerId, mayReplace } = admitted
  refuseUnfit(bucket, objectKey, requireMediaType(describe(metadata).mimeType), undefined)
  requireObjectKey(objectKey)
  if (!admitted.mayWrite) throw refuse.row()
  refuseTaken(deps, { bucket, objectKey, mayReplace })
  exchange.bucket = bucket
  exchange.objectKey = objectKey
  return {
    version: deps.ids.uuid(),
    bucket: bucket.fullName,
    objectKey,
    ownerId,
    mayReplace,
    lengthBytes: undefined,
    metadata,
  }
}

async function admitContinuation(
  { uploads }: StorageDeps,
  exchange: Exchange,
  id: string,
): Promise<void> {
  const { method } = exchange.call.request
  if (method === 'POST') return
  const upload = uploads.find(versionOf(id))
  if (upload === undefined) throw ERRORS.FILE_NOT_FOUND
  exchange.version = upload.version
  if (method === 'HEAD') {
    // A crash after the last byte can leave a full upload without its object. The client takes a full offset for success, so
    // the object is created first.
    if (upload.offsetBytes === upload.lengthBytes) await uploads.finish(upload.version)
    return
  }
  const { bucket, objectKey } = upload
  const admitted = await exchange.admit({ ...exchange.call, bucket, objectKey })
  if (!admitted.mayWrite) throw refuse.row()
  exchange.bucket = admitted.bucket
  exchange.objectKey = objectKey
}

function requireEntry(metadata: UploadMetadata, name: string): string {
  const value = metadata[name]
  if (typeof value === 'string' && value !== '') return value
  throw refuse.request(`Upload-Metadata must have required property '${name}'`)
}

// Replaces the body that @tus/server would read from the adapter's stream. The new body comes from the socket and can remain
// partly unread.
function withOwnBody({ request, env }: StorageCall): Request {
  const { method, headers, url } = request
  const hasBody = method === 'POST' || method === 'PATCH'
  const body = hasBody ? { body: ReadableStream.from(bytesOf(request, env)), duplex: 'half' } : {}
  return new Request(url, { method, headers, ...body } as RequestInit)
}

async function refusalOf(response: Response, cause: unknown): Promise<unknown> {
  // The HTTP server reports an internal error when the cause is neither an error of storage nor of @tus/server.
  if (cause instanceof Error && !(cause instanceof StorageError) && !('status_code' in cause))
    return cause
  const body = await response.text()
  const { status, headers } = response
  return new RenderedRefusal(
    {
      status,
      headers: { ...Object.fromEntries(headers), 'content-type': 'text/plain; charset=utf-8' },
      body,
      code: cause instanceof StorageError ? cause.wireCode : `tus_${status}`,
      message: body.trim(),
    },
    cause,
  )
}

function sayExpiry({ uploads }: StorageDeps, { version }: Exchange, { headers }: Response): void {
  const upload = version === undefined ? undefined : uploads.find(version)
  if (upload !== undefined && !upload.isFinished)
    headers.set('Upload-Expires', toHttpDate(upload.expiresAt))
}

interface Held {
  readonly askToEnd: () => void
  readonly released: Promise<void>
  readonly release: () => void
}

// Lets only one request at a time work on a resumable upload. A new request asks the current request to end, as TUS requires
// for half-open connections. The own lock of @tus/server would spin while it waits.
function createTusLocker(): Locker {
  const held = new Map<string, Held>()

  async function acquire(id: string, signal: AbortSignal, askToEnd: () => void): Promise<void> {
    for (let holder = held.get(id); holder !== undefined; holder = held.get(id)) {
      holder.askToEnd()
      await Promise.race([holder.released, aborted(signal)])
      // @tus/server has no error class, but recognises its errors by their members.
      if (signal.aborted) throw ERRORS.ERR_LOCK_TIMEOUT
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    held.set(id, { askToEnd, released: promise, release: resolve })
  }

  return {
    newLock: (id): Lock => ({
      lock: (signal, askToEnd) => acquire(id, signal, () => void askToEnd()),
      unlock: async () => {
        const mine = held.get(id)
        held.delete(id)
        mine?.release()
      },
    }),
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
