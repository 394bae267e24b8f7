// The worker that places the boxes of the schema map.
import { layOut } from './lay-out.ts'
import type { SizedBox, SizedKey } from './map-layout.ts'

export interface LayoutOrder {
  readonly boxes: readonly SizedBox[]
  readonly keys: readonly SizedKey[]
}

self.onmessage = ({ data }: MessageEvent<LayoutOrder>) =>
  self.postMessage(layOut(data.boxes, data.keys))
