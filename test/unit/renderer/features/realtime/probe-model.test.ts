import { describe, expect, it } from 'vitest'
import {
  type JoinOrder,
  joinFrame,
  type RealtimeFrame,
} from '../../../../../renderer/api/realtime-frames.ts'
import {
  afterClose,
  afterReceived,
  afterSent,
  isOpen,
  JOIN_REF,
  LINES_KEPT,
  newProbe,
} from '../../../../../renderer/features/realtime/test-channels/probe-model.ts'

const order: JoinOrder = {
  topic: 'desk',
  isPrivate: false,
  bindings: [],
  presenceKey: undefined,
  hearsItself: true,
}
const probe = newProbe('1', 'aurora', 'anon', order)
const frame = (event: string, payload: RealtimeFrame['payload'], ref: string | null = null) => ({
  topic: 'realtime:desk',
  event,
  payload,
  ref,
})

describe('a channel joined from the page', () => {
  it('is joined after an ok reply, and does not show its token', () => {
    const sent = afterSent(probe, joinFrame(order, 'secret', JOIN_REF), 1)
    expect(sent.state).toBe('joining')
    expect(JSON.stringify(sent.lines)).not.toContain('secret')
    const joined = afterReceived(
      sent,
      frame('phx_reply', { status: 'ok', response: {} }, JOIN_REF),
      2,
    )
    expect(joined.state).toBe('joined')
  })

  it('is open until it is closed or refused', () => {
    const closed = afterClose({ ...probe, state: 'joined' }, 'closed with code 1006')
    const refused = afterClose(probe, 'closed with code 1006')
    expect([probe, closed, refused].map(isOpen)).toEqual([true, false, false])
  })

  it('keeps the reason of a refusal', () => {
    const reply = { status: 'error', response: { reason: 'Unauthorized: no' } }
    const refused = afterReceived(probe, frame('phx_reply', reply, JOIN_REF), 1)
    expect([refused.state, refused.reason]).toEqual(['refused', 'Unauthorized: no'])
    expect(afterClose(refused, 'closed').state).toBe('refused')
  })

  it('stays joined on a database error, and closes when the service closes it', () => {
    const joined = { ...probe, state: 'joined' as const }
    const told = afterReceived(joined, frame('system', { status: 'error', message: 'no table' }), 1)
    expect([told.state, told.reason]).toEqual(['joined', 'no table'])
    expect(afterReceived(told, frame('phx_close', {}), 2).state).toBe('closed')
  })

  it('names a broadcast by its event and keeps the latest lines', () => {
    let filled = probe
    for (let at = 0; at < LINES_KEPT + 5; at += 1)
      filled = afterReceived(filled, frame('broadcast', { event: 'ring', payload: {} }), at)
    expect(filled.lines).toHaveLength(LINES_KEPT)
    expect(filled.lines.at(-1)).toMatchObject({ number: LINES_KEPT + 5, event: 'broadcast ring' })
  })

  it('ignores messages of other channels', () => {
    expect(afterReceived(probe, { ...frame('x', {}), topic: 'realtime:other' }, 1)).toBe(probe)
  })
})
