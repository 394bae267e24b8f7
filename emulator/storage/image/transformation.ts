// What may be asked of a picture, and how it is written in queries, in the tokens of signed URLs and in the header of the
// answer (storage-contract §6, §7). Pure.
import { z } from 'zod'

export type ResizeMode = 'cover' | 'contain' | 'fill'

export interface Transformation {
  /** Pixels; the other side follows where only one is given. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly resize?: ResizeMode | undefined
  /** 20..100, where the format has a quality. */
  readonly quality?: number | undefined
  /** `origin` keeps the type of the source; absent, the header Accept decides. */
  readonly format?: RequestedFormat | undefined
}

export type RequestedFormat = 'origin' | 'avif' | 'webp'

/** Pixels a side may be asked to have; more is cut to it. */
export const MAX_SIDE = 2_000
export const QUALITY = { min: 20, max: 100 } as const
export const RESIZE_MODES = ['cover', 'contain', 'fill'] as const
export const FORMATS = ['origin', 'avif', 'webp'] as const

/** The query parameters of the render routes. */
export const transformationQuery = z.object({
  width: integerText(0).optional(),
  height: integerText(0).optional(),
  resize: z.enum(RESIZE_MODES).optional(),
  quality: integerText(QUALITY.min, QUALITY.max).optional(),
  format: z.enum(FORMATS).optional(),
})

/** The member `transform` of the body that signs a URL. */
export const transformationBody = z.object({
  width: z.int().min(0).optional(),
  height: z.int().min(0).optional(),
  resize: z.enum(RESIZE_MODES).optional(),
  quality: z.int().min(QUALITY.min).max(QUALITY.max).optional(),
  format: z.enum(FORMATS).optional(),
})

/** The claim `transformations`: `width:100,height:80,resize:cover,quality:80`; the format is a claim of its own. */
export function transformationClaim({ width, height, resize, quality }: Transformation): string {
  return pairs({ width, height, resize, quality })
}

/** Reads the claims of a signed URL, which we wrote ourselves; what is no transformation counts as none. */
export function readTransformationClaim(claim: unknown, format: unknown): Transformation {
  const fields: Record<string, unknown> = typeof format === 'string' ? { format } : {}
  for (const pair of typeof claim === 'string' ? claim.split(',') : []) {
    const [name = '', value] = pair.split(':')
    fields[name] = value
  }
  const read = transformationQuery.safeParse(fields)
  return read.success ? read.data : {}
}

/** The header X-Transformations, in the words of the picture server upstream asks. */
export function transformationHeader({
  width,
  height,
  resize,
  quality,
  format,
}: Transformation): string {
  const hasSide = Boolean(width) || Boolean(height)
  return pairs({
    height: sideOf(height),
    width: sideOf(width),
    resizing_type: hasSide ? RESIZING_TYPES[resize ?? 'cover'] : undefined,
    quality,
    format: format === 'origin' ? undefined : format,
  })
}

/** A side in pixels as it is used: 0 leaves it to the other one. */
export function sideOf(pixels: number | undefined): number | undefined {
  return pixels === undefined || pixels === 0 ? undefined : Math.min(pixels, MAX_SIDE)
}

const RESIZING_TYPES: Readonly<Record<ResizeMode, string>> = {
  cover: 'fill',
  contain: 'fit',
  fill: 'force',
}

function pairs(fields: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${value}`)
    .join(',')
}

// The words are those of upstream's validator, which reads a number out of the text first.
function integerText(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.string().transform((text, context) => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    const problem = !Number.isInteger(value)
      ? 'must be integer'
      : value < min
        ? `must be >= ${min}`
        : value > max
          ? `must be <= ${max}`
          : undefined
    if (problem === undefined) return value
    context.issues.push({ code: 'custom', message: problem, input: text })
    return z.NEVER
  })
}
