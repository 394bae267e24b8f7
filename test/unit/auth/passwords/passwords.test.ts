import { describe, expect, it } from 'vitest'
import { SeededIdSource } from '../../../../emulator/core/id-source.ts'
import { schemaNameOf, trusted } from '../../../../emulator/core/names.ts'
import {
  hashPassword,
  type KeyDerivation,
} from '../../../../emulator/platform/credentials/password-hash.ts'
import type { AuthTables, TextRow } from '../../../../emulator/services/auth/auth-tables.ts'
import { accountByPassword } from '../../../../emulator/services/auth/passwords/passwords.ts'

const PASSWORD = 'correct horse'
const HASH = await hashPassword(PASSWORD, new SeededIdSource('passwords'))
const USER = '00000000-0000-4000-8000-000000000001'

/** Tables in which every query finds this row, or none. */
function tablesWith(row: TextRow | undefined): AuthTables {
  const rows = [row === undefined ? [] : [row]]
  const answer = async () => rows
  return { read: answer, write: answer, writeLocked: answer }
}

/** Returns the cost of each password derivation of a sign-in. */
async function spentOn(row: TextRow | undefined, password: string): Promise<readonly number[]> {
  const costs: number[] = []
  const derive: KeyDerivation = async (_password, _salt, cost) => {
    costs.push(cost)
    return Buffer.alloc(32)
  }
  const login = { email: 'ada@example.com', password }
  const schemaName = schemaNameOf(trusted.slug('shop'))
  await accountByPassword(tablesWith(row), schemaName, login, derive).catch(() => undefined)
  return costs
}

describe('accountByPassword', () => {
  it.each([
    ['an unknown address', undefined, PASSWORD],
    ['an account without a password', [USER, null, 't', '[]'], PASSWORD],
    ['an unconfirmed account', [USER, HASH, 'f', '[]'], 'another one'],
    ['a password longer than any', [USER, HASH, 't', '[]'], 'x'.repeat(100_000)],
    ['an unknown address with such a password', undefined, 'x'.repeat(100_000)],
  ])('takes as long for %s as for a wrong password', async (_, row, password) => {
    const wrong = await spentOn([USER, HASH, 't', '[]'], 'another one')
    expect([wrong.length, await spentOn(row, password)]).toEqual([1, wrong])
  })
})
