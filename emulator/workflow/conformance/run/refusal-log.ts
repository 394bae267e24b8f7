// Remembers the refusals of a run, so that docs/wire/errors.md is checked with the answers of all requests.
import type { ErrorSection, Refusal } from '../model/check.ts'
import type { WireRequest } from '../model/steps.ts'
import type { Wire } from './wire.ts'

export interface RefusalLog {
  /** Sends as the given wire does, and remembers refusals. */
  readonly wire: Wire
  /** In the order of the requests. */
  readonly refusals: readonly Refusal[]
}

export function createRefusalLog(wire: Wire): RefusalLog {
  const refusals: Refusal[] = []
  return {
    refusals,
    wire: {
      ...wire,
      send: async (request) => {
        const reply = await wire.send(request)
        const section = sectionOf(request)
        if (reply.status >= 400 && section !== undefined)
          refusals.push({ section, request: `${request.method} ${request.path}`, reply })
        return reply
      },
    },
  }
}

/** Returns the section of errors.md; `undefined` where the answer has no body of that section. */
function sectionOf({ method, path, plane }: WireRequest): ErrorSection | undefined {
  if (method === 'HEAD' || path.startsWith('/_emulator/')) return undefined
  switch (plane) {
    case 'auth':
      return path.startsWith('/auth/v1/') ? 'auth' : 'management'
    case 'storage':
      // S3 and TUS have bodies of their own.
      return /^\/(s3|upload\/resumable)\b/.test(path) ? undefined : 'storage'
    case 'data':
    case 'realtime':
      return plane
    default:
      return plane satisfies never
  }
}
