// Renders one picture with libvips in the thread pool (docs/wire/storage.md#pictures). Limits on the input refuse small files
// that would decode to gigabytes. This module is loaded with the first picture, because loading libvips takes about 200 ms.
import sharp, { type Metadata, type Sharp } from 'sharp'
import { invalidImage } from './invalid-image.ts'
import { keptFormat, type PictureFormat, type WantedFormat } from './picture-format.ts'
import { type Gravity, sideOf, type Transformation } from './transformation.ts'

export interface RenderedPicture {
  readonly format: PictureFormat
  readonly bytes: Uint8Array
}

/** Limits of upstream's picture server. */
const MAX_SOURCE_PIXELS = 50_000_000
const MAX_SECONDS = 30
const DEFAULT_QUALITY = 80
/** AVIF needs a lower quality number than other formats for the same visual quality. */
const DEFAULT_AVIF_QUALITY = 60

// Limits sharp to one thread per picture and no memory cache. The defaults of sharp suit a machine that only renders pictures.
sharp.concurrency(1)
sharp.cache(false)

/** @throws {StorageError} `invalidImage` when the source is not a picture, cannot be decoded or is too large */
export async function renderPicture(
  source: Uint8Array,
  transformation: Transformation,
  wanted: WantedFormat,
): Promise<RenderedPicture> {
  try {
    const picture = sharp(source, {
      limitInputPixels: MAX_SOURCE_PIXELS,
      autoOrient: true,
      // fact: upstream renders the decodable part of a damaged source, such as a truncated JPEG or a wrong checksum.
      failOn: 'none',
    })
    const metadata = await picture.metadata()
    const format = wanted === 'source' ? keptFormat(metadata.format) : wanted
    const resized = resize(picture, metadata, transformation).timeout({ seconds: MAX_SECONDS })
    const bytes = await encode(resized, format, transformation.quality).toBuffer()
    return { format, bytes }
  } catch (cause) {
    throw invalidImage(cause)
  }
}

// fact: upstream never enlarges a picture. Upstream crops a picture only for `cover` with both width and height.
function resize(picture: Sharp, { autoOrient }: Metadata, transformation: Transformation): Sharp {
  const [width, height] = [sideOf(transformation.width), sideOf(transformation.height)]
  const { resize: mode = 'cover', gravity } = transformation
  if (width === undefined && height === undefined) return picture
  if (width === undefined || height === undefined || mode === 'contain')
    return picture.resize({
      ...(width === undefined ? {} : { width }),
      ...(height === undefined ? {} : { height }),
      fit: 'inside',
      withoutEnlargement: true,
    })
  if (mode === 'fill' || gravity === undefined)
    return picture.resize({ width, height, fit: mode, withoutEnlargement: true })
  if (gravity === 'sm')
    return picture.resize({
      width,
      height,
      position: sharp.strategy.attention,
      withoutEnlargement: true,
    })
  const { scaled, crop } = cropOf(autoOrient, { width, height }, transformation)
  return picture.resize({ ...scaled, fit: 'fill' }).extract(crop)
}

function encode(picture: Sharp, format: PictureFormat, quality = DEFAULT_QUALITY): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.jpeg({ quality })
    case 'webp':
      return picture.webp({ quality })
    case 'avif':
      return picture.avif({
        quality: quality === DEFAULT_QUALITY ? DEFAULT_AVIF_QUALITY : quality,
        effort: 2,
      })
    case 'gif':
      return picture.gif()
    case 'png':
      return picture.png()
  }
}

// Computes which part of a picture remains when it is cropped. The rules are those of imgproxy's option `gravity`.

/** Width and height in pixels. */
interface Size {
  readonly width: number
  readonly height: number
}

interface Crop {
  /** Size to which the source is scaled before it is cropped. */
  readonly scaled: Size
  /** The part of the scaled picture that remains. */
  readonly crop: Size & { readonly left: number; readonly top: number }
}

type Placement = Pick<Transformation, 'gravity' | 'x_offset' | 'y_offset'>

/** Scales a source down until it just covers the wanted size, then crops the rest. A source is never scaled up. */
export function cropOf(source: Size, wanted: Size, placement: Placement): Crop {
  const scale = Math.min(1, Math.max(wanted.width / source.width, wanted.height / source.height))
  const scaled = {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  }
  const width = Math.min(wanted.width, scaled.width)
  const height = Math.min(wanted.height, scaled.height)
  const { gravity = 'ce', x_offset: x = 0, y_offset: y = 0 } = placement
  const [horizontal, vertical] = ANCHORS[gravity]
  const left = placeOf({ whole: scaled.width, part: width, offset: x, at: horizontal })
  const top = placeOf({ whole: scaled.height, part: height, offset: y, at: vertical })
  return { scaled, crop: { width, height, left, top } }
}

type Anchor = 'start' | 'middle' | 'end' | 'point'

/** Horizontal and vertical anchor of each gravity. */
const ANCHORS: Readonly<Record<Gravity, readonly [horizontal: Anchor, vertical: Anchor]>> = {
  no: ['middle', 'start'],
  so: ['middle', 'end'],
  ea: ['end', 'middle'],
  we: ['start', 'middle'],
  noea: ['end', 'start'],
  nowe: ['start', 'start'],
  soea: ['end', 'end'],
  sowe: ['start', 'end'],
  ce: ['middle', 'middle'],
  sm: ['middle', 'middle'],
  fp: ['point', 'point'],
}

interface Line {
  /** Width or height of the scaled picture, in pixels. */
  readonly whole: number
  /** Width or height of the cropped picture, in pixels. */
  readonly part: number
  /** A value below 1 is a fraction of `whole`; a value from 1 on is in pixels. */
  readonly offset: number
  readonly at: Anchor
}

function placeOf({ whole, part, offset, at }: Line): number {
  const pixels = roundToEven(Math.abs(offset) >= 1 ? offset : whole * offset)
  const place = () => {
    switch (at) {
      case 'start':
        return pixels
      case 'middle':
        return roundToEven((whole - part + 1) / 2) + pixels
      case 'end':
        return whole - part - pixels
      case 'point':
        return roundToEven(whole * offset) - Math.floor(part / 2)
    }
  }
  return Math.max(0, Math.min(place(), whole - part))
}

// Rounds a half to the nearest even number, like Go's math.RoundToEven, which imgproxy uses.
function roundToEven(value: number): number {
  const rounded = Math.round(value)
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}
