import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { createRecentRotations } from '../../../../emulator/services/auth/sessions/recent-rotations.ts'
import type { SessionAnswer } from '../../../../emulator/services/auth/sessions/sessions.ts'

const clock = () => new ManualClock(epochMillis(0))

function answer(refreshToken: string): SessionAnswer {
  return {
    access_token: '',
    data_plane_token: '',
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: 3600,
    user: {
      id: '',
      email: null,
      phone: null,
      email_confirmed_at: null,
      phone_confirmed_at: null,
      last_sign_in_at: null,
      role: 'authenticated',
      user_metadata: {},
      app_metadata: {},
      identities: [],
      factors: [],
      created_at: '',
      updated_at: '',
    },
  }
}

describe('createRecentRotations', () => {
  it('rotates once for two simultaneous calls', async () => {
    const recent = createRecentRotations(clock())
    let rotations = 0
    const rotate = async () => answer(`fresh ${++rotations}`)
    const [one, other] = await Promise.all([recent.once('a', rotate), recent.once('a', rotate)])
    expect(other).toBe(one)
  })

  it('rotates again for a later call', async () => {
    const recent = createRecentRotations(clock())
    let rotations = 0
    const rotate = async () => answer(`fresh ${++rotations}`)
    await recent.once('a', rotate)
    expect((await recent.once('a', rotate)).refresh_token).toBe('fresh 2')
  })

  it('tries again after a failure', async () => {
    const recent = createRecentRotations(clock())
    await expect(recent.once('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect((await recent.once('a', async () => answer('fresh'))).refresh_token).toBe('fresh')
  })

  it('returns a stored rotation', () => {
    const recent = createRecentRotations(clock())
    recent.keep('a', answer('fresh'))
    expect(recent.recall('a')?.refresh_token).toBe('fresh')
  })

  it('removes rotations that are older than the grace time', () => {
    const time = clock()
    const recent = createRecentRotations(time)
    recent.keep('a', answer('fresh'))
    time.advance(10_001)
    recent.keep('b', answer('other'))
    expect(recent.recall('a')).toBeUndefined()
  })

  it('removes the oldest of more than 500 rotations, also while time is frozen', () => {
    const recent = createRecentRotations(clock())
    for (let turn = 0; turn <= 500; turn += 1) recent.keep(String(turn), answer('fresh'))
    expect([recent.recall('0'), recent.recall('1')?.refresh_token]).toEqual([undefined, 'fresh'])
  })
})
