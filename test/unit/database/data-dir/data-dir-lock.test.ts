import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDataDir } from '../../../../emulator/database/data-dir/data-dir-lock.ts'
import { until } from '../../../support/until.ts'

const NO_SUCH_PID = 2 ** 22 + 1
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-lock-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lockFile = () => join(folder, 'tenantry.lock')

describe('lockDataDir', () => {
  it('creates the directory, and writes the process id into the lock', () => {
    const nested = join(folder, 'a', 'b')
    lockDataDir(nested)
    expect(JSON.parse(readFileSync(join(nested, 'tenantry.lock'), 'utf8'))).toMatchObject({
      pid: process.pid,
    })
  })

  it('can lock a directory again after a release', () => {
    lockDataDir(folder)()
    expect(lockDataDir(folder)).toBeTypeOf('function')
  })

  it('refuses a directory held by a live process', () => {
    writeFileSync(lockFile(), JSON.stringify({ pid: process.ppid }))
    expect(() => lockDataDir(folder)).toThrow(
      `${folder} is in use by process ${process.ppid}; stop it or choose another data directory.`,
    )
  })

  it.runIf(process.platform === 'linux')('takes over the lock of a zombie process', async () => {
    // The shell replaces itself by `sleep`, which never collects the shell's ended child process.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 60'])
    try {
      const [line] = await once(parent.stdout, 'data')
      const pid = Number(String(line))
      await until(() => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
      writeFileSync(lockFile(), JSON.stringify({ pid }))
      expect(lockDataDir(folder)).toBeTypeOf('function')
    } finally {
      parent.kill('SIGKILL')
    }
  })

  it.each([
    ['its process is gone', JSON.stringify({ pid: NO_SUCH_PID })],
    ['another process has its pid', JSON.stringify({ pid: process.pid, startedAt: '1' })],
    ['it is unreadable', '{'],
  ])('takes over a lock when %s', (_name, text) => {
    writeFileSync(lockFile(), text)
    expect(lockDataDir(folder)).toBeTypeOf('function')
  })

  it('does not release a lock that another process has taken over', () => {
    const release = lockDataDir(folder)
    writeFileSync(lockFile(), 'another')
    release()
    expect(readFileSync(lockFile(), 'utf8')).toBe('another')
  })

  it('reports a directory that cannot be written', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => lockDataDir(join(folder, 'file'))).toThrow(/cannot be written/)
  })
})
