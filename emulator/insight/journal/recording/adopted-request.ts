// A request that another emulator recorded, such as one of a bundle. recorder.ts keeps it beside its own requests.
import type { JsonObject } from '../../../core/json.ts'
import type { Recording } from './kept-request.ts'
import type { RingMember } from './request-ring.ts'

export class AdoptedRequest implements RingMember {
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

  claims(): JsonObject | undefined {
    return this.#recording.claims
  }

  recording(): Recording {
    return this.#recording
  }

  /** Does nothing. The person who made the bundle chose to keep the bodies. */
  forgetUnwatchedBodies(): void {}
}
