// /render/image/…: serves objects as transformed pictures (docs/wire/storage.md#pictures). Access rules and responses are those
// of object downloads, including ranges, conditions and download names.
import type { ObjectReaders } from '../access/object-readers.ts'
import { decodeQuery } from '../bodies/json-body.ts'
import type { StorageDeps } from '../deps.ts'
import { type ServeOptions, serveObject } from '../downloads/serve-object.ts'
import { MEDIA_TYPES } from '../image/picture-format.ts'
import {
  type Transformation,
  transformationHeader,
  transformationQuery,
} from '../image/transformation.ts'
import type { StoredObject } from '../objects/object-store.ts'
import type { StorageErrorCode } from '../refusals.ts'
import type { StorageCall, StorageHandler } from '../storage-call.ts'
import { FINDING_CODES, type StorageRouteDeps, type StorageRoutes } from './route-table.ts'

export const PICTURE_CODES: readonly StorageErrorCode[] = [
  ...FINDING_CODES,
  'bytesMissing',
  'invalidImage',
  'featureOff',
  'tooLarge',
]
const PICTURE = {
  title: 'Renders a picture',
  codes: PICTURE_CODES,
  query: transformationQuery,
} as const

export const PICTURE_ROUTES: StorageRoutes = {
  'GET,HEAD /render/image/authenticated/:bucket/*': {
    ...PICTURE,
    operation: 'picture.render_authenticated',
    handler: pictureFor('byBearer'),
  },
  'GET,HEAD /render/image/public/:bucket/*': {
    ...PICTURE,
    operation: 'picture.render_public',
    handler: pictureFor('publicly'),
  },
}

function pictureFor(reader: keyof ObjectReaders): (deps: StorageRouteDeps) => StorageHandler {
  return (deps) => async (call) => {
    const transformation = decodeQuery(call.query, transformationQuery)
    return servePicture(deps, call, await deps.readers[reader](call), transformation)
  }
}

/**
 * Renders an object as a picture and builds the response.
 * @throws {StorageError} `invalidImage`, `bytesMissing`, `overloaded`, `invalidRequest`
 */
export async function servePicture(
  { objects, pictures }: Pick<StorageDeps, 'objects' | 'pictures'>,
  call: StorageCall,
  stored: StoredObject,
  transformation: Transformation,
  options: ServeOptions = {},
): Promise<Response> {
  const accept = call.request.headers.get('accept')
  const { format, sizeBytes, variant, open } = await pictures.picture(
    stored,
    transformation,
    accept,
  )
  const shown: StoredObject = {
    ...stored,
    sizeBytes,
    mimeType: MEDIA_TYPES[format],
    etag: `${stored.etag}-${variant}`,
  }
  const response = serveObject({ objects, blobs: { open } }, call, shown, options)
  response.headers.set('x-transformations', transformationHeader(transformation))
  if (transformation.format === undefined) response.headers.append('vary', 'Accept')
  return response
}
