// Which format a picture is answered in: what was asked for, what the header Accept names, or what the source is
// (docs/wire/storage.md#pictures). Pure.
import type { RequestedFormat } from './transformation.ts'

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

export const MEDIA_TYPES: Readonly<Record<PictureFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
}

export function isPictureFormat(text: string): text is PictureFormat {
  return Object.hasOwn(MEDIA_TYPES, text)
}

/** What the caller wants; `source` keeps the type of the source. */
export type WantedFormat = 'source' | 'webp' | 'avif'

/**
 * The parameter `format` first, then the header Accept, where only a type named in full counts. WebP comes before AVIF where
 * both are taken: AVIF takes many times as long to make.
 */
export function wantedFormat(
  requested: RequestedFormat | undefined,
  accept: string | null,
): WantedFormat {
  if (requested === 'origin') return 'source'
  if (requested !== undefined) return requested
  const taken = (accept ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry))
    .map((entry) => entry.split(';')[0]?.trim())
  if (taken.includes('image/webp')) return 'webp'
  return taken.includes('image/avif') ? 'avif' : 'source'
}

/** What a source is answered as when its type is to be kept; types no browser shows, and drawings, become PNG. */
export function keptFormat(sourceFormat: string | undefined): PictureFormat {
  switch (sourceFormat) {
    case 'jpeg':
    case 'webp':
    case 'gif':
      return sourceFormat
    case 'heif':
    case 'avif':
      return 'avif'
    default:
      return 'png'
  }
}
