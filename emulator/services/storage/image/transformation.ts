// Transformations of a picture, and their text forms: in queries, in the tokens of signed URLs and in a response header
// (docs/wire/storage.md#pictures). Pure.
import { z } from 'zod'

export type ResizeMode = 'cover' | 'contain' | 'fill'

/**
 * The part of a picture that remains when `cover` crops it: a side, a corner or the centre (`ce`). `sm` means the most salient
 * area, `fp` a given point.
 */
export type Gravity = (typeof GRAVITIES)[number]

export interface Transformation {
  /** Width in pixels. The aspect ratio determines a side that is not given. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly resize?: ResizeMode | undefined
  /** Quality from 20 to 100. Ignored for formats without a quality setting. */
  readonly quality?: number | undefined
  /** `origin` keeps the format of the source. The header Accept decides when `format` is absent. */
  readonly format?: RequestedFormat | undefined
  readonly gravity?: Gravity | undefined
  /**
   * Horizontal offset. The gravity `fp` takes the position of its point from the left, from 0 to 1. Other gravities take the
   * distance from the side or corner. A distance below 1 is a fraction of the picture, a distance from 1 on is in pixels.
   */
  readonly x_offset?: number | undefined
  /** Vertical offset, with the rules of `x_offset`. The gravity `fp` takes the position of its point from the top. */
  readonly y_offset?: number | undefined
}

export type RequestedFormat = 'origin' | 'avif' | 'webp'

/** Maximum width and height in pixels. Larger values are reduced to this. */
export const MAX_SIDE = 2_000
export const QUALITY = { min: 20, max: 100 } as const
export const RESIZE_MODES = ['cover', 'contain', 'fill'] as const
export const FORMATS = ['origin', 'avif', 'webp'] as const

export const GRAVITIES = [
  'no',
  'so',
  'ea',
  'we',
  'noea',
  'nowe',
  'soea',
  'sowe',
  'ce',
  'sm',
  'fp',
] as const

/** Query parameters of the render routes. */
export const transformationQuery: z.ZodType<Transformation> = shapeOf({
  side: integerText(0),
  quality: integerText(QUALITY.min, QUALITY.max),
  offset: textOfNumber((value) => (Number.isFinite(value) ? undefined : 'must be number')).meta({
    type: 'number',
  }),
})

/** The member `transform` in the body of requests that sign a URL. */
export const transformationBody: z.ZodType<Transformation> = shapeOf({
  side: z.int().min(0),
  quality: z.int().min(QUALITY.min).max(QUALITY.max),
  offset: z.custom<number>(Number.isFinite, 'must be number').meta({ type: 'number' }),
})

function shapeOf(numbers: Readonly<Record<'side' | 'quality' | 'offset', z.ZodType<number>>>) {
  return z
    .object({
      width: numbers.side.optional(),
      height: numbers.side.optional(),
      resize: z.enum(RESIZE_MODES).optional(),
      quality: numbers.quality.optional(),
      format: z.enum(FORMATS).optional(),
      gravity: z.enum(GRAVITIES).optional(),
      x_offset: numbers.offset.optional(),
      y_offset: numbers.offset.optional(),
    })
    .superRefine(requirePoint)
}

/**
 * Writes the text of the claim `transformations`, e.g. `width:100,height:80,resize:cover,gravity:fp:0.5:1`. The picture's
 * format has its own claim.
 */
export function transformationClaim(transformation: Transformation): string {
  const { width, height, resize, quality } = transformation
  return pairs({ width, height, resize, quality, gravity: gravityText(transformation) })
}

/** Parses the claims of a signed URL. Returns an empty transformation when the claims cannot be parsed. */
export function readTransformationClaim(claim: unknown, format: unknown): Transformation {
  const fields: Record<string, unknown> = typeof format === 'string' ? { format } : {}
  for (const pair of typeof claim === 'string' ? claim.split(',') : []) {
    const [name = '', value, x, y] = pair.split(':')
    fields[name] = value
    if (name === 'gravity') Object.assign(fields, { x_offset: x, y_offset: y })
  }
  const read = transformationQuery.safeParse(fields)
  return read.success ? read.data : {}
}

/** Writes the response header X-Transformations. The option names are those of imgproxy, the picture server of upstream. */
export function transformationHeader(transformation: Transformation): string {
  const { width, height, resize, quality, format } = transformation
  const hasSide = Boolean(width) || Boolean(height)
  return pairs({
    height: sideOf(height),
    width: sideOf(width),
    resizing_type: hasSide ? RESIZING_TYPES[resize ?? 'cover'] : undefined,
    quality,
    format: format === 'origin' ? undefined : format,
    gravity: gravityText(transformation),
  })
}

/**
 * Returns the width or height to render, in pixels. Returns `undefined` for 0, so that the side follows from the other side.
 */
export function sideOf(pixels: number | undefined): number | undefined {
  return pixels === undefined || pixels === 0 ? undefined : Math.min(pixels, MAX_SIDE)
}

const RESIZING_TYPES: Readonly<Record<ResizeMode, string>> = {
  cover: 'fill',
  contain: 'fit',
  fill: 'force',
}

// The gravity `sm` takes no offsets. Other values take both offsets or none, and a single missing offset is 0.
function gravityText({ gravity, x_offset: x, y_offset: y }: Transformation): string | undefined {
  if (gravity === undefined || gravity === 'sm' || (x === undefined && y === undefined))
    return gravity
  return `${gravity}:${x ?? 0}:${y ?? 0}`
}

function pairs(fields: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${value}`)
    .join(',')
}

// The messages are those of upstream's validator, which converts the text to a number first.
function integerText(min: number, max = Number.MAX_SAFE_INTEGER) {
  return textOfNumber((value) =>
    !Number.isInteger(value)
      ? 'must be integer'
      : value < min
        ? `must be >= ${min}`
        : value > max
          ? `must be <= ${max}`
          : undefined,
  ).meta({ type: 'integer', minimum: min, maximum: max })
}

function textOfNumber(problemOf: (value: number) => string | undefined) {
  return z.string().transform((text, context) => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    const problem = problemOf(value)
    if (problem === undefined) return value
    context.issues.push({ code: 'custom', message: problem, input: text })
    return z.NEVER
  })
}

/** Requires both offsets for the gravity `fp`, because the offsets define its point. */
function requirePoint(
  transformation: Pick<Transformation, 'gravity' | 'x_offset' | 'y_offset'>,
  context: z.RefinementCtx,
): void {
  if (transformation.gravity !== 'fp') return
  for (const name of ['x_offset', 'y_offset'] as const) {
    const value = transformation[name]
    if (value === undefined)
      context.addIssue({ code: 'invalid_type', expected: 'number', path: [name], input: value })
    else if (value < 0 || value > 1)
      context.addIssue({
        code: 'custom',
        message: value < 0 ? 'must be >= 0' : 'must be <= 1',
        path: [name],
      })
  }
}
