import { describe, expect, it } from 'vitest'
import { commandLine } from '../../../emulator/cli/commands/exec/command-line.ts'
import {
  exitCodeOf,
  exitCodeOfFailedStart,
} from '../../../emulator/cli/commands/exec/exit-codes.ts'

describe('commandLine', () => {
  it('starts a command unchanged on systems where programs are executable files', () => {
    expect(commandLine(['npm', 'run', 'a b'], 'linux')).toEqual({
      file: 'npm',
      args: ['run', 'a b'],
      isVerbatim: false,
    })
  })

  it('starts cmd.exe on Windows, and escapes the arguments', () => {
    expect(commandLine(['npm', 'test', '-t', 'a "b" & c', 'x%y'], 'win32')).toEqual({
      file: 'cmd.exe',
      args: ['/d', '/s', '/c', '"npm test -t ^"a^ \\^"b\\^"^ ^&^ c^" ^"x^%y^""'],
      isVerbatim: true,
    })
  })
})

describe('exit codes', () => {
  it('are the command’s own, or 128 plus the number of the signal', () => {
    expect(exitCodeOf(3, null)).toBe(3)
    expect(exitCodeOf(null, 'SIGTERM')).toBe(143)
  })

  it('distinguish a missing command from a command that cannot be run', () => {
    expect(exitCodeOfFailedStart(Object.assign(new Error(), { code: 'ENOENT' }))).toBe(127)
    expect(exitCodeOfFailedStart(Object.assign(new Error(), { code: 'EACCES' }))).toBe(126)
  })
})
