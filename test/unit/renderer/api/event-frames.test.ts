// Server-sent events in pieces (HTML standard, "Server-sent events").
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFrameReader } from '../../../../renderer/api/event-frames.ts'

describe('frames of the event stream', () => {
  it('come with their id', () => {
    expect(createFrameReader()('id: 7\ndata: {"a":1}\n\n')).toEqual([{ id: '7', data: '{"a":1}' }])
  })

  it('wait until they are whole', () => {
    const read = createFrameReader()
    expect([read('data: 1'), read('23\n'), read('\ndata: 4')]).toEqual([
      [],
      [],
      [{ id: undefined, data: '123' }],
    ])
  })

  it('join several lines of data', () => {
    expect(createFrameReader()('data: a\ndata: b\n\n')[0]?.data).toBe('a\nb')
  })

  it('leave out comments, which only keep the connection open', () => {
    expect(createFrameReader()(': keep\n\n')).toEqual([])
  })

  it('are the same however they are cut', () => {
    const text = 'id: 1\ndata: {"x":"ü"}\n\n: ping\n\nid: 2\ndata: two\n\n'
    const whole = createFrameReader()(text)
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        const read = createFrameReader()
        const places = [0, ...cuts.sort((one, other) => one - other), text.length]
        const frames = places
          .slice(1)
          .flatMap((end, index) => read(text.slice(places[index] ?? 0, end)))
        expect(frames).toEqual(whole)
      }),
    )
  })
})
