// Lays out the schema map in a worker, so that the page stays responsive.
import { useEffect, useRef, useState } from 'react'
import type { LayoutOrder } from './layout-worker.ts'
import type { MapLayout } from './map-layout.ts'
import type { SchemaMap } from './map-model.ts'

export interface LaidOutMap {
  readonly map: SchemaMap
  readonly layout: MapLayout
}

/**
 * Returns the latest map whose layout is ready; `undefined` before the first one is. The worker loads at the same time as the
 * map's data.
 */
export function useLayout(map: SchemaMap | undefined): LaidOutMap | undefined {
  const [laidOut, setLaidOut] = useState<LaidOutMap>()
  const loaded = useRef<Worker>(undefined)
  useEffect(() => {
    loaded.current = startWorker()
    return () => loaded.current?.terminate()
  }, [])
  useEffect(() => {
    if (map === undefined) return
    const worker = loaded.current ?? startWorker()
    loaded.current = undefined
    worker.onmessage = ({ data }: MessageEvent<MapLayout>) => {
      setLaidOut({ map, layout: data })
      worker.terminate()
    }
    worker.postMessage(orderOf(map))
    return () => worker.terminate()
  }, [map])
  return laidOut
}

function startWorker(): Worker {
  return new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
}

function orderOf({ boxes, keys }: SchemaMap): LayoutOrder {
  return {
    boxes: boxes.map(({ table, width, height }) => ({ name: table.name, width, height })),
    keys: keys.map(({ id, child, parent, childOffset, parentOffset }) => ({
      id,
      child,
      parent,
      childOffset,
      parentOffset,
    })),
  }
}
