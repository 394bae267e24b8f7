// /render/image/…: objects as transformed pictures (docs/wire/storage.md#pictures). Found as their bytes
// would be, and answered like them: ranges, conditions and download names included.
import type { ActorReader } from '../access/actor.ts'
import { createObjectReaders, type ObjectReader } from '../access/object-readers.ts'
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
import type { StorageCall, StorageHandler, StorageRoutes } from './route-table.ts'

export function pictureRoutes(deps: StorageDeps, actors: ActorReader): StorageRoutes {
  const { byBearer, byNobody } = createObjectReaders(deps, actors)
  const picture = (read: ObjectReader): Record<'GET' | 'HEAD', StorageHandler> => {
    const serve: StorageHandler = async (call) => {
      const transformation = decodeQuery(call.query, transformationQuery)
      return servePicture(deps, call, await read(call), transformation)
    }
    return { GET: serve, HEAD: serve }
  }
  return {
    '/render/image/authenticated/:bucket/*': picture(byBearer),
    '/render/image/public/:bucket/*': picture(byNobody),
  }
}

/** Answers an object as a picture. @throws {StorageError} `invalidImage`, `bytesMissing`, `overloaded`, `invalidRange` */
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
