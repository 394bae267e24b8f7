// A command that a shell holds back until it may start. Uses real processes, because the shell does the waiting.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startHeld } from '../../../emulator/cli/commands/exec/run-child.ts'
import { temporaryFolder } from '../../support/cli-process.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

function start(name: string, script: string, env: NodeJS.ProcessEnv = process.env) {
  const file = join(folder.path, name)
  const args = ['-e', script, file]
  return {
    file,
    ...startHeld({ file: process.execPath, args, isVerbatim: false }, { detached: true, env }),
  }
}

const WRITE_ENV = "require('fs').writeFileSync(process.argv[1], JSON.stringify(process.env))"

describe('startHeld', () => {
  it('runs the command in the held process after the release', async () => {
    const held = start('pid', "require('fs').writeFileSync(process.argv[1], String(process.pid))")
    held.go()
    expect(await once(held.child, 'exit')).toEqual([0, null])
    expect(readFileSync(held.file, 'utf8')).toBe(String(held.child.pid))
  })

  it('never runs the command when the releasing process ends before the release', async () => {
    const held = start('never', WRITE_ENV)
    const pipe = held.child.stdio[3]
    pipe?.destroy()
    await once(held.child, 'exit')
    expect(existsSync(held.file)).toBe(false)
  })

  it('passes the environment unchanged, including names that a shell cannot use', async () => {
    const env = { 'a-b': '1', 'BASH_FUNC_f%%': '() { :; }', plain: 'x y' }
    const held = start('environment', WRITE_ENV, env)
    held.go()
    await once(held.child, 'exit')
    expect(JSON.parse(readFileSync(held.file, 'utf8'))).toEqual(env)
  })

  it('reports a program that does not exist with ENOENT', async () => {
    const line = { file: 'no-such-program', args: [], isVerbatim: false }
    const { child } = startHeld(line, { detached: true, env: process.env })
    const [error] = await once(child, 'error').catch((thrown: unknown) => [thrown])
    expect(error).toMatchObject({ code: 'ENOENT' })
  })
})
