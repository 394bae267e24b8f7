// One request of storage with its path taken apart, as the router passes it to handlers.
import type { RequestEnv } from '../core/request-env.ts'

export interface StorageCall {
  readonly request: Request
  readonly env: RequestEnv
  readonly query: URLSearchParams
  /** What `:bucket` means, decoded; empty when the route has none. */
  readonly bucket: string
  /** What `*` means, decoded; empty when the route has none. */
  readonly objectKey: string
}

export type StorageHandler = (call: StorageCall) => Response | Promise<Response>
