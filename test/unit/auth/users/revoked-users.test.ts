import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../../emulator/core/clock.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { openSystemDb } from '../../../../emulator/database/system-db/system-db.ts'
import {
  AUTH_MIGRATIONS,
  openRevokedUsers,
} from '../../../../emulator/services/auth/users/revoked-users.ts'

const SHOP = trusted.schemaName('proj_shop')
const OTHER = trusted.schemaName('proj_other')

function world() {
  const clock = new ManualClock(epochMillis(0))
  const db = openSystemDb({ file: undefined, migrations: [AUTH_MIGRATIONS] })
  return { clock, db, revokedUsers: openRevokedUsers(db, { clock }) }
}

describe('openRevokedUsers', () => {
  it('accepts an unknown user', () => {
    expect(world().revokedUsers.standingOf(SHOP, 'ana')).toBe('good')
  })

  it('refuses a deleted user for ever', () => {
    const { revokedUsers, clock } = world()
    revokedUsers.delete(SHOP, 'ana')
    clock.advance(1e12)
    expect(revokedUsers.standingOf(SHOP, 'ana')).toBe('deleted')
  })

  it('refuses a banned user until the ban ends', () => {
    const { revokedUsers, clock } = world()
    revokedUsers.ban(SHOP, 'ana', epochMillis(1_000))
    const during = revokedUsers.standingOf(SHOP, 'ana')
    clock.advance(1_000)
    expect([during, revokedUsers.standingOf(SHOP, 'ana')]).toEqual(['banned', 'good'])
  })

  it('runs the changes of one user one after another, also after a failure', async () => {
    const { revokedUsers } = world()
    const done: string[] = []
    const first = Promise.withResolvers<void>()
    const changes = [
      revokedUsers.inTurn(SHOP, 'ana', () => first.promise.finally(() => done.push('ana 1'))),
      revokedUsers.inTurn(SHOP, 'ana', async () => done.push('ana 2')),
      revokedUsers.inTurn(SHOP, 'eva', async () => done.push('eva')),
    ]
    await changes[2]
    first.reject(new Error('the engine is down'))
    const outcomes = await Promise.allSettled(changes)
    expect([done, outcomes[0]?.status]).toEqual([['eva', 'ana 1', 'ana 2'], 'rejected'])
  })

  it('lifts a ban', () => {
    const { revokedUsers } = world()
    revokedUsers.ban(SHOP, 'ana', epochMillis(1_000))
    revokedUsers.ban(SHOP, 'ana', undefined)
    expect(revokedUsers.standingOf(SHOP, 'ana')).toBe('good')
  })

  it('does not restore a deleted user by lifting a ban', () => {
    const { revokedUsers } = world()
    revokedUsers.delete(SHOP, 'ana')
    revokedUsers.ban(SHOP, 'ana', undefined)
    expect(revokedUsers.standingOf(SHOP, 'ana')).toBe('deleted')
  })

  it('keeps the users of two projects apart', () => {
    const { revokedUsers } = world()
    revokedUsers.delete(SHOP, 'ana')
    expect(revokedUsers.standingOf(OTHER, 'ana')).toBe('good')
  })

  it('keeps deletions and bans across a restart', () => {
    const { revokedUsers, db, clock } = world()
    revokedUsers.delete(SHOP, 'ana')
    revokedUsers.ban(SHOP, 'bia', epochMillis(1_000))
    const again = openRevokedUsers(db, { clock })
    expect([again.standingOf(SHOP, 'ana'), again.standingOf(SHOP, 'bia')]).toEqual([
      'deleted',
      'banned',
    ])
  })

  it('forgets a purged project’s users, also after a restart', () => {
    const { revokedUsers, db, clock } = world()
    revokedUsers.delete(SHOP, 'ana')
    revokedUsers.erase(SHOP)
    expect(revokedUsers.standingOf(SHOP, 'ana')).toBe('good')
    expect(openRevokedUsers(db, { clock }).standingOf(SHOP, 'ana')).toBe('good')
  })
})
