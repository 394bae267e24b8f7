// Records the newest requests in memory: always their headers, and their bodies while the inspector is open or when they are
// refused (contract/recording.ts). The recorder decodes headers and claims only when a recording is read.
import type { JsonObject } from '../../../core/json.ts'
import type { ArrivedRequest, RequestRecorder } from '../../../core/request-recording.ts'
import {
  type BodyReason,
  KeptRequest,
  type Recording,
  type RingMember,
  type Rings,
  type TimedRequest,
} from './kept-request.ts'

/** When to record bodies. `watched` records bodies while the inspector's event stream is open. */
export type BodyKeeping = 'watched' | 'always' | 'never'

export interface Recordings extends RequestRecorder {
  /** Finds a recording. Returns `undefined` when newer requests have replaced the recording, and after a restart. */
  findRecording(requestId: string): Recording | undefined
  clear(): void
  /** Adds requests that another emulator recorded, oldest first. */
  adopt(recordings: readonly Recording[]): void
  /** Finds what a span shows. Decodes neither claims nor bodies, because telemetry calls it for every request. */
  findTimed(requestId: string): TimedRequest | undefined
  /** Returns the claims of a recorded request's credential. Returns `undefined` when the request is not recorded. */
  claimsOfRequest(requestId: string): { readonly claims: JsonObject | undefined } | undefined
  /** Whether the bodies of refused requests are kept while no inspector is open. */
  readonly keepsRefusedBodies: boolean
  /**
   * Turns recording of refused requests' bodies on or off. Turning it off also forgets the bodies that were kept for this reason.
   */
  keepRefusedBodies(isOn: boolean): void
}

export interface RecorderOptions {
  readonly bodies: BodyKeeping
  /** Whether to keep the bodies of refused requests while no inspector is open. Ignored when `bodies` is `never`. */
  readonly refusedBodies: boolean
  /** Whether the inspector wants the bodies and stages of the next request. */
  readonly isWatched: () => boolean
  /** Whether to measure every request, also while no inspector is open. Default: false. */
  readonly timesAll?: boolean
  /** Called for each request whose bodies are recorded because `isWatched` returned true. */
  readonly onWatched?: () => void
}

type RecordedMember = KeptRequest | AdoptedRequest

const RECENT = { requests: 1_000, bytes: 16 << 20 }
/** Refused requests stay longer than others, so that a refusal is still there when the user opens the inspector. */
const REFUSED = { requests: 200, bytes: 4 << 20 }
/** Estimated memory per request in bytes, without the request's texts. Includes the response's headers. */
const OVERHEAD_BYTES = 2_048

export function createRecorder(options: RecorderOptions): Recordings {
  const { bodies, refusedBodies, isWatched, onWatched, timesAll = false } = options
  const recent = new RequestRing<RecordedMember>(1, RECENT)
  const refused = new RequestRing<RecordedMember>(2, REFUSED)
  let keepsRefused = refusedBodies && bodies !== 'never'

  const rings: Rings = {
    grown: (request, bytes) => {
      request.bytes += bytes
      recent.grown(request, bytes)
      refused.grown(request, bytes)
    },
    refused: (request) => refused.add(request),
  }

  const find = (requestId: string): RecordedMember | undefined =>
    recent.find(requestId) ?? refused.find(requestId)

  const keepingNow = (): BodyReason | undefined => {
    if (bodies === 'always') return 'watched'
    if (bodies === 'watched' && isWatched()) {
      onWatched?.()
      return 'watched'
    }
    return keepsRefused ? 'ifRefused' : undefined
  }

  return {
    get timesRequests() {
      return timesAll || bodies === 'always' || isWatched()
    },
    begin: (arrived) => {
      const request = new KeptRequest(arrived, rings)
      request.bytes = OVERHEAD_BYTES + sizeOf(arrived)
      recent.add(request)
      const reason = keepingNow()
      return reason === undefined ? request : request.overhear(reason)
    },
    clear: () => {
      recent.clear()
      refused.clear()
    },
    adopt: (recordings) => {
      for (const recording of recordings) {
        const request = new AdoptedRequest(recording, OVERHEAD_BYTES)
        recent.add(request)
        if (recording.isRefused) refused.add(request)
      }
    },
    findRecording: (requestId) => find(requestId)?.recording(),
    findTimed: (requestId) => find(requestId)?.timed(),
    claimsOfRequest: (requestId) => {
      const request = find(requestId)
      return request && { claims: request.claims() }
    },
    get keepsRefusedBodies() {
      return keepsRefused
    },
    keepRefusedBodies: (isOn) => {
      keepsRefused = isOn && bodies !== 'never'
      if (!keepsRefused) for (const request of refused.clear()) request.forgetUnwatchedBodies()
    },
  }
}

function sizeOf({ target, wire, request }: ArrivedRequest): number {
  let bytes = target.length
  const raw = wire?.incoming.rawHeaders
  if (raw !== undefined) for (const text of raw) bytes += text.length
  else for (const [name, value] of request.headers) bytes += name.length + value.length
  return bytes
}

interface RingBounds {
  readonly requests: number
  readonly bytes: number
}

// A list of recorded requests, bounded in number and in bytes. The oldest requests are dropped first. Writing is fast and
// searching is slow, because every request writes, and only the inspector searches.
class RequestRing<Member extends RingMember> {
  readonly #bit: number
  readonly #bounds: RingBounds
  readonly #members: (Member | undefined)[]
  #added = 0
  #oldest = 0
  #bytes = 0

  /** @param bit a power of two that no other ring of the same requests has */
  constructor(bit: number, bounds: RingBounds) {
    this.#bit = bit
    this.#bounds = bounds
    this.#members = new Array(bounds.requests).fill(undefined)
  }

  add(member: Member): void {
    if (this.#added - this.#oldest >= this.#bounds.requests) this.#drop()
    this.#members[this.#added % this.#bounds.requests] = member
    this.#added += 1
    member.rings |= this.#bit
    this.#grow(member.bytes)
  }

  /** Counts `bytes` that a request has grown by. Does nothing for a request that is not in this ring. */
  grown(member: Member, bytes: number): void {
    if ((member.rings & this.#bit) !== 0) this.#grow(bytes)
  }

  find(requestId: string): Member | undefined {
    return this.#members.findLast((member) => member?.requestId === requestId)
  }

  /** Removes all requests and returns them. */
  clear(): readonly Member[] {
    const members = this.#members.filter((member) => member !== undefined)
    while (this.#oldest < this.#added) this.#drop()
    return members
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    while (this.#bytes > this.#bounds.bytes && this.#oldest < this.#added) this.#drop()
  }

  #drop(): void {
    const place = this.#oldest % this.#bounds.requests
    const dropped = this.#members[place]
    this.#members[place] = undefined
    this.#oldest += 1
    if (dropped === undefined) return
    dropped.rings &= ~this.#bit
    this.#bytes -= dropped.bytes
  }
}

// A request that another emulator recorded, such as one of a bundle. recorder.ts keeps it beside its own requests.
class AdoptedRequest implements RingMember {
  readonly requestId: string
  readonly bytes: number
  rings = 0
  readonly #recording: Recording

  /** @param overheadBytes estimated memory of the recording without its bodies */
  constructor(recording: Recording, overheadBytes: number) {
    this.#recording = recording
    this.requestId = recording.requestId
    const { requestBody, responseBody } = recording
    this.bytes = overheadBytes + (requestBody?.keptBytes ?? 0) + (responseBody?.keptBytes ?? 0)
  }

  timed(): TimedRequest {
    const { requestHeaders: headers, stages, url } = this.#recording
    return { url, headers, stages }
  }

  claims(): JsonObject | undefined {
    return this.#recording.claims
  }

  recording(): Recording {
    return this.#recording
  }

  /** Does nothing, because the person who exported the bundle chose to keep the bodies. */
  forgetUnwatchedBodies(): void {}
}
