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
  /** Pixels. When only one side is given, the other one follows from the aspect ratio. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly resize?: ResizeMode | undefined
  /** 20..100. Ignored for formats without a quality setting. */
  readonly quality?: number | undefined
  /** `origin` keeps the format of the source. When absent, the header Accept decides. */
  readonly format?: RequestedFormat | undefined
  readonly gravity?: Gravity | undefined
  /**
   * Horizontal offset. With a side or a corner: the distance from it, as a fraction of the picture below 1 and in pixels from 1
   * on. With `fp`: position of the point from the left, 0..1.
   */
  readonly x_offset?: number | undefined
  /** Vertical offset, from the top; otherwise like `x_offset`. */
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
export const transformationQuery: z.ZodType<Transformation> = z
  .object({
    width: integerText(0).optional(),
    height: integerText(0).optional(),
    resize: z.enum(RESIZE_MODES).optional(),
    quality: integerText(QUALITY.min, QUALITY.max).optional(),
    format: z.enum(FORMATS).optional(),
    gravity: z.enum(GRAVITIES).optional(),
    x_offset: numberText().optional(),
    y_offset: numberText().optional(),
  })
  .superRefine(requirePoint)

/** The member `transform` in the body of requests that sign a URL. */
export const transformationBody: z.ZodType<Transformation> = z
  .object({
    width: z.int().min(0).optional(),
    height: z.int().min(0).optional(),
    resize: z.enum(RESIZE_MODES).optional(),
    quality: z.int().min(QUALITY.min).max(QUALITY.max).optional(),
    format: z.enum(FORMATS).optional(),
    gravity: z.enum(GRAVITIES).optional(),
    x_offset: z.custom<number>(Number.isFinite, 'must be number').optional(),
    y_offset: z.custom<number>(Number.isFinite, 'must be number').optional(),
  })
  .superRefine(requirePoint)

/**
 * Text of the claim `transformations`, e.g. `width:100,height:80,resize:cover,quality:80,gravity:fp:0.5:1`. The format has its
 * own claim.
 */
export function transformationClaim(transformation: Transformation): string {
  const { width, height, resize, quality } = transformation
  return pairs({ width, height, resize, quality, gravity: gravityText(transformation) })
}

/** Parses the claims of a signed URL, which the emulator wrote itself. Returns no transformation when they cannot be parsed. */
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

/** Value of the response header X-Transformations, with the option names of imgproxy, the picture server of upstream. */
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

/** Width or height to render, in pixels. Returns `undefined` for 0, so that the side follows from the other one. */
export function sideOf(pixels: number | undefined): number | undefined {
  return pixels === undefined || pixels === 0 ? undefined : Math.min(pixels, MAX_SIDE)
}

const RESIZING_TYPES: Readonly<Record<ResizeMode, string>> = {
  cover: 'fill',
  contain: 'fit',
  fill: 'force',
}

// `sm` takes no offsets. Other values take both offsets or none; a missing one is 0.
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

// Uses the messages of upstream's validator, which converts the text to a number first.
function integerText(min: number, max = Number.MAX_SAFE_INTEGER) {
  return textOfNumber((value) =>
    !Number.isInteger(value)
      ? 'must be integer'
      : value < min
        ? `must be >= ${min}`
        : value > max
          ? `must be <= ${max}`
          : undefined,
  )
}

function numberText() {
  return textOfNumber((value) => (Number.isFinite(value) ? undefined : 'must be number'))
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

/** Requires both offsets for `fp`, because they define its point. */
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
