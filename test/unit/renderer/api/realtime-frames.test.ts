import { describe, expect, it } from 'vitest'
import { joinFrame, readFrame, replyOf } from '../../../../renderer/api/realtime-frames.ts'

describe('joinFrame', () => {
  it('copies the bindings, and leaves out an empty filter', () => {
    const frame = joinFrame(
      {
        topic: 'desk',
        isPrivate: false,
        bindings: [{ event: '*', schema: 'proj_a', table: 't', filter: null }],
        presenceKey: undefined,
        hearsItself: true,
      },
      'tok',
      '1',
    )
    expect(frame).toEqual({
      topic: 'realtime:desk',
      event: 'phx_join',
      ref: '1',
      payload: {
        config: {
          broadcast: { ack: false, self: true },
          presence: { key: '', enabled: false },
          postgres_changes: [{ event: '*', schema: 'proj_a', table: 't' }],
          private: false,
        },
        access_token: 'tok',
      },
    })
  })
})

describe('readFrame', () => {
  it('reads a reply and the reason for its refusal', () => {
    const frame = readFrame(
      '{"topic":"realtime:x","event":"phx_reply","ref":"2","payload":{"status":"error","response":{"reason":"Unauthorized: no"}}}',
    )
    expect(frame && replyOf(frame)).toEqual({ isGranted: false, reason: 'Unauthorized: no' })
  })

  it.each(['', '[]', '{"topic":1}', 'null'])('returns nothing for %j', (text) => {
    expect(readFrame(text)).toBeUndefined()
  })
})
