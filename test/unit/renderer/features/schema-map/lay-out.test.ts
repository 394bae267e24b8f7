// The schema map's layout: nothing overlaps, lines do not cross boxes, and the map of a large schema has the proportions of a
// screen.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOut } from '../../../../../renderer/features/schema-map/lay-out.ts'
import type {
  MapLayout,
  Point,
  SizedBox,
  SizedKey,
} from '../../../../../renderer/features/schema-map/map-layout.ts'
import { patiently } from '../../../../support/patience.ts'

const WIDTH = 200

function boxesOf(heights: readonly number[]): readonly SizedBox[] {
  return heights.map((height, index) => ({ name: `t${index}`, width: WIDTH, height }))
}

function keyOf(parent: string, child: string, number = 0): SizedKey {
  return { id: `${child} ${number}`, parent, child, parentOffset: 15, childOffset: 40 }
}

/**
 * Sixty tables of several areas: most reference a table of their area, some reference a shared table, and twelve have no
 * reference in either direction.
 */
function sixtyTables(): readonly [readonly SizedBox[], readonly SizedKey[]] {
  const boxes = boxesOf(Array.from({ length: 60 }, (_, index) => 72 + (index % 4) * 20))
  const keys = boxes
    .slice(12)
    .flatMap(({ name }, index) => [
      ...(index % 6 === 0 ? [] : [keyOf(`t${12 + index - (index % 6)}`, name, 0)]),
      ...(index % 3 === 0 && index > 0 ? [keyOf('t12', name, 1)] : []),
    ])
  return [boxes, keys]
}

function overlaps(layout: MapLayout, boxes: readonly SizedBox[]): readonly string[] {
  return boxes.flatMap((one, index) =>
    boxes.slice(index + 1).flatMap((other) => {
      const a = layout.places.get(one.name)
      const b = layout.places.get(other.name)
      if (a === undefined || b === undefined) return [`${one.name} or ${other.name} has no place`]
      const isApart =
        a.x + one.width <= b.x ||
        b.x + other.width <= a.x ||
        a.y + one.height <= b.y ||
        b.y + other.height <= a.y
      return isApart ? [] : [`${one.name} and ${other.name}`]
    }),
  )
}

/** Returns the boxes that a drawn line crosses. */
function crossed(layout: MapLayout, boxes: readonly SizedBox[]): readonly string[] {
  return [...layout.lines].flatMap(([id, points]) => {
    const drawn = points.slice(1).flatMap((to, index) => drawnBetween(points[index] ?? to, to))
    return boxes.flatMap(({ name, width, height }) => {
      const place = layout.places.get(name) ?? { x: 0, y: 0 }
      const isInside = ({ x, y }: Point) =>
        x > place.x + 1 && x < place.x + width - 1 && y > place.y + 1 && y < place.y + height - 1
      return drawn.some(isInside) ? [`${id} through ${name}`] : []
    })
  })
}

/** Returns points of a part of a line. `pathOf` draws the part straight, or as a curve with both control points in the middle. */
function drawnBetween(from: Point, to: Point): readonly Point[] {
  const bow = Math.abs(to.x - from.x) < 1 ? to.x + 24 : (from.x + to.x) / 2
  return Array.from({ length: 21 }, (_, step) => {
    const t = step / 20
    const u = 1 - t
    const [a, b, c, d] = [u ** 3, 3 * u * u * t, 3 * u * t * t, t ** 3]
    if (from.y === to.y) return { x: u * from.x + t * to.x, y: from.y }
    return { x: a * from.x + (b + c) * bow + d * to.x, y: (a + b) * from.y + (c + d) * to.y }
  })
}

function touches({ x, y }: Point, place: Point | undefined): boolean {
  return place !== undefined && (x === place.x || x === place.x + WIDTH) && y > place.y
}

describe('the layout of a schema map', () => {
  it('places sixty tables without overlap, in the proportions of a screen, in less than a second', () => {
    const [boxes, keys] = sixtyTables()
    const startedAt = performance.now()
    const layout = layOut(boxes, keys)
    const millis = performance.now() - startedAt
    expect(overlaps(layout, boxes)).toEqual([])
    expect(crossed(layout, boxes)).toEqual([])
    expect(layout.width / layout.height).toBeGreaterThan(0.8)
    expect(layout.width / layout.height).toBeLessThan(3)
    expect(millis).toBeLessThan(patiently(1_000))
  })

  it('places the tables around one shared table as a grid', () => {
    const boxes = boxesOf(Array.from({ length: 41 }, () => 92))
    const keys = boxes.slice(1).map(({ name }) => keyOf('t0', name))
    const layout = layOut(boxes, keys)
    const columns = new Set([...layout.places.values()].map(({ x }) => Math.round(x)))
    expect(columns.size).toBeGreaterThan(3)
    expect(overlaps(layout, boxes)).toEqual([])
    expect(crossed(layout, boxes)).toEqual([])
    expect(layout.width / layout.height).toBeGreaterThan(0.8)
  })

  it('places a few unconnected tables below the columns of the widest group', () => {
    const boxes = boxesOf([100, 100, 100, 100, 100])
    const keys = [keyOf('t0', 't1'), keyOf('t1', 't2')]
    const { places } = layOut(boxes, keys)
    const left = (name: string) => places.get(name)?.x
    expect([left('t3'), left('t4')]).toEqual([left('t0'), left('t1')])
  })

  it('draws the lines of 200 tables around all boxes', () => {
    const boxes = boxesOf(Array.from({ length: 200 }, (_, index) => 72 + ((index * 7) % 6) * 20))
    const keys = boxes
      .slice(1)
      .flatMap(({ name }, index) => [
        ...(index % 7 === 0 ? [] : [keyOf(`t${(index * 13) % 200}`, name, 0)]),
        ...(index % 3 === 0 ? [keyOf(`t${index % 5}`, name, 1)] : []),
      ])
    const layout = layOut(boxes, keys)
    expect(overlaps(layout, boxes)).toEqual([])
    expect(crossed(layout, boxes)).toEqual([])
  })

  it('places a referenced table left of the tables that reference it', () => {
    const layout = layOut(boxesOf([80, 80, 80]), [keyOf('t0', 't1'), keyOf('t1', 't2')])
    const [first, second, third] = ['t0', 't1', 't2'].map((name) => layout.places.get(name)?.x ?? 0)
    expect(first).toBeLessThan(second ?? 0)
    expect(second).toBeLessThan(third ?? 0)
  })

  it('draws keys, even circular keys and self references, from the parent’s side to the child’s side', () => {
    const schema = fc.integer({ min: 1, max: 14 }).chain((count) =>
      fc.record({
        heights: fc.array(fc.integer({ min: 52, max: 300 }), {
          minLength: count,
          maxLength: count,
        }),
        ends: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 20 }),
      }),
    )
    fc.assert(
      fc.property(schema, ({ heights, ends }) => {
        const boxes = boxesOf(heights)
        const keys = ends.map(([parent, child], number) => keyOf(`t${parent}`, `t${child}`, number))
        const layout = layOut(boxes, keys)
        expect(overlaps(layout, boxes)).toEqual([])
        expect(crossed(layout, boxes)).toEqual([])
        for (const { id, parent, child } of keys) {
          const points = layout.lines.get(id) ?? []
          const [start, end] = [points[0], points.at(-1)]
          expect(start && touches(start, layout.places.get(parent))).toBe(true)
          expect(end && touches(end, layout.places.get(child))).toBe(true)
        }
        for (const { x, y } of [...layout.places.values(), ...[...layout.lines.values()].flat()]) {
          expect(x).toBeGreaterThanOrEqual(0)
          expect(y).toBeGreaterThanOrEqual(0)
          expect(x).toBeLessThanOrEqual(layout.width)
          expect(y).toBeLessThanOrEqual(layout.height)
        }
      }),
      { numRuns: 60, seed: 7 },
    )
  })

  it('is empty without tables', () => {
    expect(layOut([], [])).toMatchObject({ width: 0, height: 0 })
  })
})
