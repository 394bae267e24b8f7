// Data directories of other accounts are refused.
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { requireOwnDataDir } from '../../../../emulator/database/data-dir/data-dir-owner.ts'

const folder = mkdtempSync(join(tmpdir(), 'data-dir-owner-'))
mkdirSync(join(folder, 'postgres'))
// Every account accepts files of root, so a test that runs as root gives the folder to another account.
const owner = process.getuid?.() || 4_711
if (process.getuid?.() === 0)
  for (const path of [folder, join(folder, 'postgres')]) chownSync(path, owner, owner)
afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(process.getuid === undefined)('requireOwnDataDir', () => {
  it('accepts a directory of this account, and a directory that does not exist', () => {
    expect(() => requireOwnDataDir(folder, owner, undefined)).not.toThrow()
    expect(() => requireOwnDataDir(join(folder, 'new'), owner + 1, undefined)).not.toThrow()
  })

  it('refuses a directory of another account, and says what to do', () => {
    expect(() => requireOwnDataDir(folder, owner + 1, undefined)).toThrow(
      expect.objectContaining({
        code: 'data_dir_foreign',
        message: expect.stringContaining(`belongs to the account ${owner}`),
        hint: expect.stringContaining('--trust-data-dir'),
      }),
    )
  })

  it('accepts the directory of the account that called sudo, for root only', () => {
    expect(() => requireOwnDataDir(folder, 0, undefined)).toThrow()
    expect(() => requireOwnDataDir(folder, 0, String(owner))).not.toThrow()
    expect(() => requireOwnDataDir(folder, owner + 1, String(owner))).toThrow()
  })
})
