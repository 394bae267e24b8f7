// The error message of a command that may not read or write a file or folder.
import { mkdtempSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fileRefusalOf } from '../../../emulator/cli/main.ts'
import { sentenceOf } from '../../../emulator/cli/report.ts'

it('names the path that cannot be used, and no data directory', () => {
  const error = Object.assign(new Error("EACCES: permission denied, mkdtemp '/srv/app'"), {
    code: 'EACCES',
    path: '/srv/app',
  })
  expect(sentenceOf(fileRefusalOf(error))).toBe(
    "/srv/app cannot be used: EACCES: permission denied, mkdtemp '/srv/app'. Your account may not use it. Choose another place, or change its permissions.",
  )
})

it('ignores errors of other kinds', () => {
  expect(fileRefusalOf(new Error('x'))).toBeUndefined()
  let missing: unknown
  try {
    mkdtempSync('/nowhere/at/all/')
  } catch (error) {
    missing = error
  }
  expect(fileRefusalOf(missing)).toBeUndefined()
})
