// Chooses the format of a rendered picture (docs/wire/storage.md#pictures).
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

/** `source` keeps the format of the source. */
export type WantedFormat = 'source' | 'webp' | 'avif'

/**
 * Uses the parameter `format`, otherwise the header Accept, otherwise the format of the source. Only full type names in Accept
 * count, not ranges such as `image/*`. WebP is preferred to AVIF, because encoding AVIF takes many times as long.
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

/**
 * Returns the output format when the source's format should be kept. Formats that browsers cannot display, and vector drawings,
 * become PNG.
 */
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
