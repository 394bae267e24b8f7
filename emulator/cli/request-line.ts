// Formats one request as a line for the terminal: the log of `start`, and `tenantry logs`. Pure.
import { printable } from '../core/printable.ts'

export interface RequestLine {
  /** ISO 8601. */
  readonly at: string
  readonly status: number
  /** Wall-clock milliseconds. */
  readonly durationMillis: number
  readonly method: string
  readonly target: string
  /** Tenant or group, and identity. */
  readonly who: readonly (string | null | undefined)[]
  /** Code of the refusal, or code and message. */
  readonly refusal: string | null | undefined
}

/** Returns a line such as `09:00:00.123  403  5 ms  POST /notes  proj_aurora authenticated  42501`. */
export function requestLine(request: RequestLine): string {
  const { at, durationMillis, method, refusal, status, target, who } = request
  const caller = who.filter(Boolean).join(' ')
  const line = `${at.slice(11, 23)}  ${status}  ${durationMillis} ms  ${method} ${target}  ${caller}`
  return printable(refusal ? `${line}  ${refusal}` : line).trimEnd()
}
