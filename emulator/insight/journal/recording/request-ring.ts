// A list of recorded requests, bounded in number and in bytes. The oldest requests leave first.

/** The part of a recorded request that its rings read and write. */
export interface RingMember {
  readonly requestId: string
  /** Estimated memory of the recording in bytes. */
  bytes: number
  /** Bits of the rings that contain the request. */
  rings: number
}

export interface RingBounds {
  readonly requests: number
  readonly bytes: number
}

/** The list is cheap to write and slow to search: every request writes, and only the inspector searches. */
export class RequestRing<Member extends RingMember> {
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
