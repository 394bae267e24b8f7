// Delivery that a fault delays and repeats.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { type FrameFault, NO_SOCKET_FAULTS } from '../../../emulator/core/fault.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { FaultDelivery } from '../../../emulator/services/realtime/channels/fault-delivery.ts'

const bearer = { schemaName: 'proj_a', role: 'anon', subject: 'x', claims: {} }

function lineWith(faults: readonly (FrameFault | undefined)[]) {
  const wallClock = new ManualClock(epochMillis(0))
  const sent: string[] = []
  const left = [...faults]
  const line = new FaultDelivery(
    { faults: { ...NO_SOCKET_FAULTS, isArmed: true, frame: () => left.shift() }, wallClock },
    ({ bytes }) => sent.push(Buffer.from(bytes).toString()),
  )
  const deliver = (text: string) =>
    line.deliver({ bytes: Buffer.from(text), isBinary: false }, bearer)
  return { wallClock, sent, deliver }
}

describe('a connection with injected faults', () => {
  it('delays a frame and all frames after it', () => {
    const { wallClock, sent, deliver } = lineWith([{ delayMillis: 100, copies: 1 }, undefined])
    deliver('first')
    deliver('second')
    wallClock.advance(99)
    expect(sent).toEqual([])
    wallClock.advance(1)
    expect(sent).toEqual(['first', 'second'])
  })

  it('repeats a frame', () => {
    const { sent, deliver } = lineWith([{ delayMillis: 0, copies: 3 }])
    deliver('again')
    expect(sent).toEqual(['again', 'again', 'again'])
  })

  it('keeps the order of delays of different lengths', () => {
    const { wallClock, sent, deliver } = lineWith([
      { delayMillis: 100, copies: 1 },
      { delayMillis: 10, copies: 2 },
    ])
    deliver('slow')
    deliver('fast')
    wallClock.advance(200)
    expect(sent).toEqual(['slow', 'fast', 'fast'])
  })
})
