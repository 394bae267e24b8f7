import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { whyUnreadable, writingTo } from '../../../emulator/core/named-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-named-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = (...names: string[]) => join(folder, ...names)
const write = (path: string) => () => writingTo(path, () => writeFileSync(path, 'text'))
const whyOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return whyUnreadable(path, error)
  }
}

describe('writingTo', () => {
  it('says that a folder does not exist', () => {
    expect(write(at('nowhere', 'x'))).toThrow(
      `${at('nowhere', 'x')} cannot be written: its folder does not exist.`,
    )
  })

  it('says that the path is a folder', () => {
    mkdirSync(at('folder'))
    expect(write(at('folder'))).toThrow(`${at('folder')} cannot be written: it is a folder.`)
  })

  it('leaves other errors unchanged', () => {
    const failure = new Error('of the caller')
    expect(() =>
      writingTo(at('x'), () => {
        throw failure
      }),
    ).toThrow(failure)
  })
})

describe('whyUnreadable', () => {
  it('says that no file exists', () => {
    expect(whyOf(at('none'))).toBe(`There is no file ${at('none')}.`)
  })

  it('says that the path is a folder', () => {
    expect(whyOf(folder)).toBe(`${folder} cannot be read: it is a folder.`)
  })
})
