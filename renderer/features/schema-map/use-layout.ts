// Lays out the schema map in a worker, so that the page stays responsive.
import { useEffect, useState } from 'react'
import type { LayoutOrder } from './layout-worker.ts'
import type { MapLayout } from './map-layout.ts'
import type { SchemaMap } from './map-model.ts'

export interface LaidOutMap {
  readonly map: SchemaMap
  readonly layout: MapLayout
}

/** Returns the latest map that has a layout, or `undefined` before the first one has. */
export function useLayout(map: SchemaMap | undefined): LaidOutMap | undefined {
  const [laidOut, setLaidOut] = useState<LaidOutMap>()
  useEffect(() => {
    if (map === undefined) return
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<MapLayout>) => {
      setLaidOut({ map, layout: data })
      worker.terminate()
    }
    const order: LayoutOrder = {
      boxes: map.boxes.map(({ table, width, height }) => ({ name: table.name, width, height })),
      keys: map.keys.map(({ id, child, parent, childOffset, parentOffset }) => ({
        id,
        child,
        parent,
        childOffset,
        parentOffset,
      })),
    }
    worker.postMessage(order)
    return () => worker.terminate()
  }, [map])
  return laidOut
}
