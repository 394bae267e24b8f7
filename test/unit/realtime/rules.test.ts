// The small pure functions of realtime: join payloads, channel names, limits, untrusted JSON, HTTP batches.
import { describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { decodeMessages } from '../../../emulator/services/realtime/broadcast/broadcast-routes.ts'
import { mayEnter } from '../../../emulator/services/realtime/channels/channel-rules.ts'
import { decodeJoin } from '../../../emulator/services/realtime/channels/join-config.ts'
import { CountingWindow } from '../../../emulator/services/realtime/limits.ts'
import { bindingIdOf } from '../../../emulator/services/realtime/row-changes/change-subscriptions.ts'
import { parseWireJson } from '../../../emulator/services/realtime/sockets/wire-json.ts'

describe('decodeJoin', () => {
  const defaults = {
    isPrivate: false,
    broadcast: { acknowledges: false, includesSelf: false, replays: false },
    presence: { isEnabled: false, key: undefined },
    changeRequests: [],
    accessToken: undefined,
  }

  it.each([
    {},
    { config: 7 },
    { config: { private: 'no', broadcast: [], presence: null, postgres_changes: {} } },
    { config: { presence: { key: '' } }, access_token: 'sb_publishable_x' },
    { access_token: null },
  ])('replaces missing or malformed fields with defaults: %j', (payload) => {
    expect(decodeJoin(payload)).toEqual(defaults)
  })

  it('reads booleans written as text, and the token from its former field user_token', () => {
    const config = {
      private: 'TRUE',
      broadcast: { ack: 'true', self: true },
      presence: { enabled: 'true', key: 'ana' },
      postgres_changes: [{ event: '*' }, null, 7],
    }
    expect(decodeJoin({ config, user_token: 't' })).toEqual({
      isPrivate: true,
      broadcast: { acknowledges: true, includesSelf: true, replays: false },
      presence: { isEnabled: true, key: 'ana' },
      changeRequests: [{ event: '*' }],
      accessToken: 't',
    })
  })
})

describe('mayEnter', () => {
  it.each([
    ['room', false, true],
    ['proj_b:room', false, true],
    ['proj_a:room', true, true],
    ['proj_a:', true, false],
    ['proj_a', true, false],
    ['proj_ab:room', true, false],
    ['proj_b:proj_a:room', true, false],
    [' proj_a:room', true, false],
  ])('for topic %j with private %j returns %j', (name, isPrivate, expected) => {
    expect(mayEnter(name, isPrivate, { schemaName: trusted.schemaName('proj_a') })).toBe(expected)
  })
})

describe('counting window', () => {
  it('admits up to the limit in each window', () => {
    const window = new CountingWindow()
    const admitted = [0, 1, 2, 999, 1_000].map((at) => window.admits(epochMillis(at), 1_000, 2))
    expect(admitted).toEqual([true, true, false, false, true])
  })

  it('starts a new window when the wall clock was set back', () => {
    const window = new CountingWindow()
    window.admits(epochMillis(50_000), 1_000, 1)
    expect(window.admits(epochMillis(10_000), 1_000, 1)).toBe(true)
  })
})

describe('parseWireJson', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

  it('refuses JSON that is nested too deeply, and does not count brackets in strings', () => {
    expect(parseWireJson(nested(512))).toBeDefined()
    expect(parseWireJson(nested(513))).toBeUndefined()
    const text = JSON.stringify(`\\"${nested(1_000)}`)
    expect(parseWireJson(text)).toBe(`\\"${nested(1_000)}`)
  })
})

describe('decodeMessages', () => {
  const good = { topic: 'a', event: 'b', payload: { c: 1 } }

  it('reads messages, which are public unless marked private', () => {
    const messages = decodeMessages({ messages: [good, { ...good, private: true }] }, 100)
    expect(messages).toEqual([
      { ...good, isPrivate: false },
      { ...good, isPrivate: true },
    ])
  })

  it.each([
    [{ messages: null }, ["can't be blank"]],
    [{ messages: [] }, ["can't be blank"]],
    [{ messages: {} }, ['is invalid']],
    [{ messages: [7] }, [expect.objectContaining({ topic: ["can't be blank"] })]],
    [
      { messages: [{ ...good, payload: { c: 'x'.repeat(100) } }] },
      [{ payload: ['Payload size exceeds tenant limit'] }],
    ],
    [{ messages: [{ ...good, private: 'maybe' }] }, [{ private: ['is invalid'] }]],
    [{ messages: [{ ...good, topic: 7 }] }, [{ topic: ['is invalid'] }]],
  ])('refuses %j', (body, messages) => {
    expect(() => decodeMessages(body, 100)).toThrow(
      expect.objectContaining({ code: 'invalid_messages', body: { errors: { messages } } }),
    )
  })
})

describe('bindingIdOf', () => {
  it('is a small positive integer, the same for equal requests', () => {
    const id = bindingIdOf({ event: '*', schema: 'public' })
    expect(id).toBe(bindingIdOf({ schema: 'public', event: '*' }))
    expect(id).toBeGreaterThan(0)
    expect(id).toBeLessThan(2 ** 27)
  })
})
