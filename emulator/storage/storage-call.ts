// One request to storage with its parsed path. The router passes it to the handlers.
import type { RequestEnv } from '../core/request-env.ts'

export interface StorageCall {
  readonly request: Request
  readonly env: RequestEnv
  readonly query: URLSearchParams
  /** The decoded `:bucket` of the path; empty when the route has none. */
  readonly bucket: string
  /** The decoded `*` of the path; empty when the route has none. */
  readonly objectKey: string
}

export type StorageHandler = (call: StorageCall) => Response | Promise<Response>
