// Delays and repeats the frames of one channel while a fault is armed. Frames keep their order, even when the fault is
// disarmed while frames wait.
import type { Cancel, Clock } from '../../../core/clock.ts'
import type { FacedBearer, SocketFaults } from '../../../core/fault.ts'
import type { EncodedFrame } from '../sockets/frames.ts'

interface LateFrame {
  /** Wall time at which to send the frame. */
  readonly due: number
  readonly frame: EncodedFrame
}

export interface FaultDeliveryDeps {
  readonly faults: SocketFaults
  readonly wallClock: Clock
}

export class FaultDelivery {
  readonly #deps: FaultDeliveryDeps
  readonly #send: (frame: EncodedFrame) => void
  #late: LateFrame[] = []
  #scheduled: Cancel | undefined

  constructor(deps: FaultDeliveryDeps, send: (frame: EncodedFrame) => void) {
    this.#deps = deps
    this.#send = send
  }

  deliver(frame: EncodedFrame, bearer: FacedBearer): void {
    const { faults, wallClock } = this.#deps
    const met = faults.isArmed ? faults.frame(bearer) : undefined
    const { delayMillis = 0, copies = 1 } = met ?? {}
    const due = Math.max(this.#late.at(-1)?.due ?? 0, wallClock.now() + delayMillis)
    for (let copy = 0; copy < copies; copy += 1) {
      if (delayMillis === 0 && this.#late.length === 0) this.#send(frame)
      else this.#late.push({ due, frame })
    }
    this.#wait()
  }

  #wait(): void {
    const [first] = this.#late
    if (first === undefined || this.#scheduled !== undefined) return
    const { wallClock } = this.#deps
    this.#scheduled = wallClock.after(first.due - wallClock.now(), () => {
      this.#scheduled = undefined
      const now = wallClock.now()
      const firstLater = this.#late.findIndex(({ due }) => due > now)
      const ripe = this.#late.splice(0, firstLater < 0 ? this.#late.length : firstLater)
      for (const { frame } of ripe) this.#send(frame)
      this.#wait()
    })
  }
}
