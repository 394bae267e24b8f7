// Computes the layout of the fan-out in pixels: the change in the middle, lanes on both sides, a curve to each lane. Pure.
import { VERDICT_WORDS } from '../../../parts/change-verdicts.ts'
import type { Lane } from './fan-out-model.ts'

export interface FanOutLayout {
  readonly width: number
  readonly height: number
  readonly center: Box
  readonly places: readonly LanePlace[]
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface LanePlace {
  readonly lane: Lane
  readonly side: 'left' | 'right'
  readonly box: Box
  /** SVG path from the change towards the lane. The verdict decides how much of the curve is drawn. */
  readonly path: string
  /** The point where the drawn part of the line ends. */
  readonly end: { readonly x: number; readonly y: number }
}

const LANE = { height: 80, gap: 12, most: 260 }
const CENTER = { most: 260, height: 132 }
const EDGE = 8
/** The minimum width in px for lanes on both sides. A narrower drawing has all lanes on the right. */
const TWO_SIDES_FROM = 680
/** Fraction of the curve that is drawn when the change does not reach the subscriber. */
const STOPPED_AT = 0.62
const FADED_AT = 0.4

/** @param width available width in px */
export function layOutFanOut(lanes: readonly Lane[], width: number): FanOutLayout {
  const isTwoSided = width >= TWO_SIDES_FROM && lanes.length > 1
  const laneWidth = Math.min(LANE.most, Math.floor(width * (isTwoSided ? 0.29 : 0.45)))
  const centerWidth = Math.min(CENTER.most, Math.floor(width * (isTwoSided ? 0.24 : 0.36)))
  const sides = isTwoSided ? dealOut(lanes) : { left: [], right: lanes }
  const rows = Math.max(sides.left.length, sides.right.length, 1)
  const height = Math.max(rows * (LANE.height + LANE.gap) - LANE.gap, CENTER.height) + 2 * EDGE
  const center: Box = {
    left: isTwoSided ? Math.floor((width - centerWidth) / 2) : EDGE,
    top: Math.floor((height - CENTER.height) / 2),
    width: centerWidth,
    height: CENTER.height,
  }
  const place = (side: 'left' | 'right') => (lane: Lane, at: number, all: readonly Lane[]) => {
    const total = all.length * (LANE.height + LANE.gap) - LANE.gap
    const box: Box = {
      left: side === 'left' ? EDGE : width - laneWidth - EDGE,
      top: Math.floor((height - total) / 2) + at * (LANE.height + LANE.gap),
      width: laneWidth,
      height: LANE.height,
    }
    return { lane, side, box, ...lineTo({ lane, side, box }, center, spreadOf(at, all.length)) }
  }
  return {
    width,
    height,
    center,
    places: [...sides.left.map(place('left')), ...sides.right.map(place('right'))],
  }
}

// Puts lanes alternately right and left, so that the user reads the lanes row by row.
function dealOut(lanes: readonly Lane[]): {
  readonly left: readonly Lane[]
  readonly right: readonly Lane[]
} {
  return {
    right: lanes.filter((_lane, at) => at % 2 === 0),
    left: lanes.filter((_lane, at) => at % 2 === 1),
  }
}

/**
 * The height at which a line leaves the card: 0 is the card's top and 1 its bottom. Lines start in the order of the
 * lanes, so lines never cross.
 */
function spreadOf(at: number, count: number): number {
  return count === 1 ? 0.5 : 0.25 + (0.5 * at) / (count - 1)
}

/** @param spread height at which the line leaves the card: 0 is the card's top and 1 its bottom */
function lineTo(
  { lane, side, box }: Pick<LanePlace, 'lane' | 'side' | 'box'>,
  center: Box,
  spread: number,
): Pick<LanePlace, 'path' | 'end'> {
  const from = {
    x: side === 'right' ? center.left + center.width : center.left,
    y: center.top + center.height * spread,
  }
  const to = { x: side === 'right' ? box.left : box.left + box.width, y: box.top + box.height / 2 }
  const middle = (from.x + to.x) / 2
  const curve: Curve = [from, { x: middle, y: from.y }, { x: middle, y: to.y }, to]
  const { line } = VERDICT_WORDS[lane.verdict]
  const drawn = cut(curve, line === 'arrives' ? 1 : line === 'stopped' ? STOPPED_AT : FADED_AT)
  return { path: pathOf(drawn), end: rounded(drawn[3]) }
}

interface Point {
  readonly x: number
  readonly y: number
}
type Curve = readonly [Point, Point, Point, Point]

/** Returns the first part of a cubic curve (de Casteljau's algorithm). `part` is a fraction from 0 to 1. */
function cut([a, b, c, d]: Curve, part: number): Curve {
  const between = (from: Point, to: Point): Point => ({
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * part,
  })
  const [ab, bc, cd] = [between(a, b), between(b, c), between(c, d)]
  const [abc, bcd] = [between(ab, bc), between(bc, cd)]
  return [a, ab, abc, between(abc, bcd)]
}

function pathOf([a, b, c, d]: Curve): string {
  const text = (point: Point): string => `${rounded(point).x} ${rounded(point).y}`
  return `M ${text(a)} C ${text(b)}, ${text(c)}, ${text(d)}`
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 }
}
