// Computes which part of a picture remains when it is cropped. The rules are those of imgproxy's option `gravity`.
import type { Gravity, Transformation } from './transformation.ts'

/** Width and height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Crop {
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
