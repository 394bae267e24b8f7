import { describe, expect, it } from 'vitest'
import { AUTH_MIGRATIONS } from '../../../emulator/auth/auth-schema.ts'
import { openDepartedUsers } from '../../../emulator/auth/departed-user-store.ts'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { trusted } from '../../../emulator/core/names.ts'
import { epochMillis } from '../../../emulator/core/time.ts'
import { openSystemDb } from '../../../emulator/database/system-db.ts'

const SHOP = trusted.schemaName('proj_shop')
const OTHER = trusted.schemaName('proj_other')

function world() {
  const clock = new ManualClock(epochMillis(0))
  const db = openSystemDb({ file: undefined, migrations: [AUTH_MIGRATIONS] })
  return { clock, db, departed: openDepartedUsers(db, { clock }) }
}

describe('openDepartedUsers', () => {
  it('has nothing against a user it never heard of', () => {
    expect(world().departed.standingOf(SHOP, 'ana')).toBe('good')
  })

  it('refuses a deleted user for ever', () => {
    const { departed, clock } = world()
    departed.delete(SHOP, 'ana')
    clock.advance(1e12)
    expect(departed.standingOf(SHOP, 'ana')).toBe('deleted')
  })

  it('refuses a banned user until the ban ends', () => {
    const { departed, clock } = world()
    departed.ban(SHOP, 'ana', epochMillis(1_000))
    const during = departed.standingOf(SHOP, 'ana')
    clock.advance(1_000)
    expect([during, departed.standingOf(SHOP, 'ana')]).toEqual(['banned', 'good'])
  })

  it('lifts a ban', () => {
    const { departed } = world()
    departed.ban(SHOP, 'ana', epochMillis(1_000))
    departed.ban(SHOP, 'ana', undefined)
    expect(departed.standingOf(SHOP, 'ana')).toBe('good')
  })

  it('brings no deleted user back by lifting a ban', () => {
    const { departed } = world()
    departed.delete(SHOP, 'ana')
    departed.ban(SHOP, 'ana', undefined)
    expect(departed.standingOf(SHOP, 'ana')).toBe('deleted')
  })

  it('tells the users of one project from those of another', () => {
    const { departed } = world()
    departed.delete(SHOP, 'ana')
    expect(departed.standingOf(OTHER, 'ana')).toBe('good')
  })

  it('still knows after a restart', () => {
    const { departed, db, clock } = world()
    departed.delete(SHOP, 'ana')
    departed.ban(SHOP, 'bia', epochMillis(1_000))
    const again = openDepartedUsers(db, { clock })
    expect([again.standingOf(SHOP, 'ana'), again.standingOf(SHOP, 'bia')]).toEqual([
      'deleted',
      'banned',
    ])
  })

  it('forgets a purged project’s users, also after a restart', () => {
    const { departed, db, clock } = world()
    departed.delete(SHOP, 'ana')
    departed.erase(SHOP)
    expect(departed.standingOf(SHOP, 'ana')).toBe('good')
    expect(openDepartedUsers(db, { clock }).standingOf(SHOP, 'ana')).toBe('good')
  })
})
