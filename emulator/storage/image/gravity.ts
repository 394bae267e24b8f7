// Which part of a picture remains when it is cut to a size, by the rules of imgproxy's option `gravity`. Pure.
import type { Transformation } from './transformation.ts'

/** In pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Crop {
  /** The size the source is scaled to first. */
  readonly scaled: Size
  /** The part of it that remains. */
  readonly crop: Size & { readonly left: number; readonly top: number }
}

type Placement = Pick<Transformation, 'gravity' | 'x_offset' | 'y_offset'>

/** Scales a source until it covers the wanted size, never up, and cuts off what is too much. */
export function cropOf(source: Size, wanted: Size, placement: Placement): Crop {
  const scale = Math.min(1, Math.max(wanted.width / source.width, wanted.height / source.height))
  const scaled = {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  }
  const width = Math.min(wanted.width, scaled.width)
  const height = Math.min(wanted.height, scaled.height)
  const { gravity = 'ce', x_offset: x = 0, y_offset: y = 0 } = placement
  const left = placeOf({ whole: scaled.width, part: width, offset: x, at: HORIZONTAL[gravity] })
  const top = placeOf({ whole: scaled.height, part: height, offset: y, at: VERTICAL[gravity] })
  return { scaled, crop: { width, height, left, top } }
}

type Anchor = 'start' | 'middle' | 'end' | 'point'
type Anchors = Readonly<Record<NonNullable<Transformation['gravity']>, Anchor>>

const HORIZONTAL: Anchors = {
  no: 'middle',
  so: 'middle',
  ea: 'end',
  we: 'start',
  noea: 'end',
  nowe: 'start',
  soea: 'end',
  sowe: 'start',
  ce: 'middle',
  sm: 'middle',
  fp: 'point',
}

const VERTICAL: Anchors = {
  no: 'start',
  so: 'end',
  ea: 'middle',
  we: 'middle',
  noea: 'start',
  nowe: 'start',
  soea: 'end',
  sowe: 'end',
  ce: 'middle',
  sm: 'middle',
  fp: 'point',
}

interface Line {
  /** Pixels of the scaled picture in one direction. */
  readonly whole: number
  /** Pixels of it that remain. */
  readonly part: number
  /** Below 1 in parts of the whole, from 1 on in pixels. */
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

// Go's math.RoundToEven, which imgproxy uses: a half goes to the even neighbour.
function roundToEven(value: number): number {
  const rounded = Math.round(value)
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}
