// Finds the table that becomes current when the user presses an arrow key in the schema map. Pure.
import type { MapLayout, Point } from './map-layout.ts'
import type { MapBox } from './map-model.ts'

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

const DIRECTIONS: Readonly<Record<Arrow, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

export function isArrow(key: string): key is Arrow {
  return key in DIRECTIONS
}

/** Returns the nearest table in the direction of the arrow. Distance to the side of this direction counts twice. */
export function neighbourOf(
  name: string,
  arrow: Arrow,
  boxes: readonly MapBox[],
  { places }: MapLayout,
): string | undefined {
  const middles = new Map(
    boxes.flatMap(({ table, width, height }) => {
      const place = places.get(table.name)
      return place === undefined
        ? []
        : [[table.name, { x: place.x + width / 2, y: place.y + height / 2 }] as const]
    }),
  )
  const from = middles.get(name)
  if (from === undefined) return undefined
  const { x, y } = DIRECTIONS[arrow]
  let nearest: { readonly name: string; readonly distance: number } | undefined
  for (const [other, to] of middles) {
    const ahead = (to.x - from.x) * x + (to.y - from.y) * y
    const beside = Math.abs((to.x - from.x) * y) + Math.abs((to.y - from.y) * x)
    const distance = ahead + 2 * beside
    if (other === name || ahead <= 1) continue
    if (nearest === undefined || distance < nearest.distance) nearest = { name: other, distance }
  }
  return nearest?.name
}
