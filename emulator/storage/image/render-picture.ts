// One picture out of another, by libvips in the thread pool (storage-contract §7). Bounded in what it takes in, so that a
// small file that unfolds into gigabytes is refused before it is unfolded. Loaded with the first picture: the library takes
// a fifth of a second.
import sharp, { type Sharp } from 'sharp'
import { invalidImage } from './invalid-image.ts'
import { keptFormat, type PictureFormat, type WantedFormat } from './picture-format.ts'
import { sideOf, type Transformation } from './transformation.ts'

export interface RenderedPicture {
  readonly format: PictureFormat
  readonly bytes: Uint8Array
}

/** What upstream's picture server takes in at most. */
const MAX_SOURCE_PIXELS = 50_000_000
const MAX_SECONDS = 30
const DEFAULT_QUALITY = 80
/** AVIF looks alike at a lower number. */
const DEFAULT_AVIF_QUALITY = 60

// Several threads for one picture, and memory kept between pictures, serve a machine that does nothing else.
sharp.concurrency(1)
sharp.cache(false)

/** @throws {StorageError} `invalidImage` when the source is no picture, is broken or is too large to be one */
export async function renderPicture(
  source: Uint8Array,
  transformation: Transformation,
  wanted: WantedFormat,
): Promise<RenderedPicture> {
  try {
    const picture = sharp(source, { limitInputPixels: MAX_SOURCE_PIXELS, autoOrient: true })
    const format = wanted === 'source' ? keptFormat((await picture.metadata()).format) : wanted
    const resized = resize(picture, transformation).timeout({ seconds: MAX_SECONDS })
    const bytes = await encode(resized, format, transformation.quality).toBuffer()
    return { format, bytes }
  } catch (cause) {
    throw invalidImage(cause)
  }
}

// fact: upstream never makes a picture larger than its source.
function resize(picture: Sharp, { width, height, resize: mode = 'cover' }: Transformation): Sharp {
  const sides = { width: sideOf(width), height: sideOf(height) }
  if (sides.width === undefined && sides.height === undefined) return picture
  const hasBoth = sides.width !== undefined && sides.height !== undefined
  return picture.resize({
    ...(sides.width === undefined ? {} : { width: sides.width }),
    ...(sides.height === undefined ? {} : { height: sides.height }),
    fit: mode === 'contain' || !hasBoth ? 'inside' : mode,
    withoutEnlargement: true,
  })
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
