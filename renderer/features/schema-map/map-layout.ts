// The types that the layout of the schema map takes and returns. Pure.
import type { MapBox, MapKey } from './map-model.ts'

export type SizedBox = Pick<MapBox, 'width' | 'height'> & { readonly name: string }
export type SizedKey = Pick<MapKey, 'id' | 'child' | 'parent' | 'childOffset' | 'parentOffset'>

export interface Point {
  readonly x: number
  readonly y: number
}

export interface MapLayout {
  readonly width: number
  readonly height: number
  /** The left upper corner of each box, by the table's name. */
  readonly places: ReadonlyMap<string, Point>
  /** The points of each key's line from the parent to the child, by the key's id. */
  readonly lines: ReadonlyMap<string, readonly Point[]>
}
