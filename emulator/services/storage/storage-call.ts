// Defines a call: one request to storage with its parsed path. The router passes the call to the handlers.
import type { RequestEnv } from '../../core/request-env.ts'

export interface StorageCall {
  readonly request: Request
  readonly env: RequestEnv
  readonly query: URLSearchParams
  /** The decoded `:bucket` of the path. Empty when the route has no `:bucket`. */
  readonly bucket: string
  /** The decoded `*` of the path. Empty when the route has no `*`. */
  readonly objectKey: string
}

export type StorageHandler = (call: StorageCall) => Response | Promise<Response>
