// Renders one picture with libvips in the thread pool (docs/wire/storage.md#pictures). Limits on the input refuse small files
// that would decode to gigabytes. This module is loaded with the first picture, because loading libvips takes about 200 ms.
import sharp, { type Metadata, type Sharp } from 'sharp'
import { cropOf } from './gravity.ts'
import { invalidImage } from './invalid-image.ts'
import { keptFormat, type PictureFormat, type WantedFormat } from './picture-format.ts'
import { sideOf, type Transformation } from './transformation.ts'

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
