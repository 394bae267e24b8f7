// Chooses the media type of the response and its handler (PostgREST, "Media Type Handlers"; RFC 9110 §12). Pure.
import { DataError } from '../errors.ts'
import { type MediaType, nameOf, parseMediaType } from '../request/media-type.ts'
import { isSameName, type SchemaCache } from '../schema-cache/schema-cache.ts'
import type { DataSettings, QualifiedName } from '../settings.ts'
import type { BodyHandler } from './plan.ts'

export interface Negotiated {
  readonly handler: BodyHandler
  readonly media: MediaType
}

export interface Negotiation {
  readonly cache: SchemaCache
  readonly settings: DataSettings
  readonly relation: QualifiedName
  /** Whether all columns are selected. Media type handlers for a relation's rows require this. */
  readonly isWholeRow: boolean
}

/** Returns the first accepted media type that has a handler. @throws {DataError} PGRST107 */
export function negotiate(accepts: readonly MediaType[], subject: Negotiation): Negotiated {
  for (const media of accepts) {
    const found = produce(media, subject)
    if (found !== undefined) return found
  }
  throw new DataError(
    'PGRST107',
    `None of these media types are available: ${accepts.map(nameOf).join(', ')}`,
  )
}

function produce(media: MediaType, subject: Negotiation): Negotiated | undefined {
  switch (media.kind) {
    case 'object':
      return { handler: { kind: 'singleJson', isStripped: media.isStripped }, media }
    case 'strippedArray':
      return { handler: { kind: 'json', isStripped: true }, media }
    case 'plan': {
      const made = subject.settings.planEnabled ? produce(media.of, subject) : undefined
      return made && { handler: made.handler, media }
    }
    case 'json':
    case 'geojson':
    case 'csv':
    case 'text':
    case 'xml':
    case 'openapi':
    case 'form':
    case 'octetStream':
    case 'any':
    case 'other':
      return custom(media, subject) ?? builtIn(media, subject.cache)
    default:
      return media satisfies never
  }
}

function builtIn(
  media: Exclude<MediaType, { kind: 'object' | 'strippedArray' | 'plan' }>,
  cache: SchemaCache,
): Negotiated | undefined {
  switch (media.kind) {
    case 'any':
      return { handler: { kind: 'json', isStripped: false }, media: { kind: 'json' } }
    case 'json':
      return { handler: { kind: 'json', isStripped: false }, media }
    case 'csv':
      return { handler: { kind: 'csv' }, media }
    case 'geojson':
      return { handler: { kind: 'geojson', hasGeometry: cache.hasGeoJson === true }, media }
    case 'text':
    case 'xml':
    case 'openapi':
    case 'form':
    case 'octetStream':
    case 'other':
      return undefined
    default:
      return media satisfies never
  }
}

function custom(media: MediaType, subject: Negotiation): Negotiated | undefined {
  const { mediaHandlers } = subject.cache
  if (mediaHandlers.length === 0) return undefined
  const isFor = (target: QualifiedName | undefined) =>
    target !== undefined && subject.isWholeRow && isSameName(target, subject.relation)
  const wanted = nameOf(media)
  const found =
    mediaHandlers.find((each) => isFor(each.target) && each.mediaType === '*/*') ??
    mediaHandlers.find((each) => isFor(each.target) && each.mediaType === wanted) ??
    mediaHandlers.find((each) => each.target === undefined && each.mediaType === wanted)
  if (found === undefined) return undefined
  const { routine, target, mediaType } = found
  const made = mediaType === '*/*' ? 'application/octet-stream' : mediaType
  return { handler: { kind: 'custom', routine, target }, media: parseMediaType(made) }
}
