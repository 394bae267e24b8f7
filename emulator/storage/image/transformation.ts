// Transformations of a picture, and how they are written in queries, in the tokens of signed URLs and in the header of the answer
// (docs/wire/storage.md#pictures). Pure.
import { z } from 'zod'

export type ResizeMode = 'cover' | 'contain' | 'fill'

/** Which part of a picture is kept when `cover` cuts it: sides and corners, the middle, the most striking part, a point. */
export type Gravity = (typeof GRAVITIES)[number]

export interface Transformation {
  /** Pixels; the other side follows where only one is given. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly resize?: ResizeMode | undefined
  /** 20..100, where the format has a quality. */
  readonly quality?: number | undefined
  /** `origin` keeps the type of the source; absent, the header Accept decides. */
  readonly format?: RequestedFormat | undefined
  readonly gravity?: Gravity | undefined
  /**
   * From the left. With a side or a corner: from that side, in parts of the picture below 1 and in pixels from 1 on. With
   * `fp`: the point, 0..1.
   */
  readonly x_offset?: number | undefined
  /** From the top, as `x_offset`. */
  readonly y_offset?: number | undefined
}

export type RequestedFormat = 'origin' | 'avif' | 'webp'

/** Longest side in pixels; more is reduced to it. */
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

/** The query parameters of the render routes. */
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

/** The member `transform` of the body that signs a URL. */
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
 * The claim `transformations`: `width:100,height:80,resize:cover,quality:80,gravity:fp:0.5:1`; the format is a claim of its
 * own.
 */
export function transformationClaim(transformation: Transformation): string {
  const { width, height, resize, quality } = transformation
  return pairs({ width, height, resize, quality, gravity: gravityText(transformation) })
}

/** Reads the claims of a signed URL, which we wrote ourselves; unknown texts count as no transformation. */
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

/** The header X-Transformations, in the words of the picture server upstream asks. */
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

/** A side in pixels as it is used: 0 leaves it to the other one. */
export function sideOf(pixels: number | undefined): number | undefined {
  return pixels === undefined || pixels === 0 ? undefined : Math.min(pixels, MAX_SIDE)
}

const RESIZING_TYPES: Readonly<Record<ResizeMode, string>> = {
  cover: 'fill',
  contain: 'fit',
  fill: 'force',
}

// The most striking part has no offsets; the others have both or none.
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

// The words are those of upstream's validator, which reads a number out of the text first.
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

/** `fp` needs the point it names. */
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
