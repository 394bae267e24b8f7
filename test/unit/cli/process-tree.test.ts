import { describe, expect, it } from 'vitest'
import {
  createProcessTree,
  type ProcessSystem,
  type ProcessTree,
} from '../../../emulator/cli/commands/exec/process-tree.ts'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { epochMillis } from '../../../emulator/core/time.ts'

/** A system that records its calls. Only processes with an id in `living` receive signals. */
function systemOf(platform: NodeJS.Platform, living: readonly number[] = []) {
  const asked: string[] = []
  const system: ProcessSystem = {
    platform,
    kill: (pid, signal) => {
      asked.push(`kill ${pid} ${signal}`)
      if (!living.includes(pid)) throw new Error('ESRCH')
    },
    start: (file, args) => {
      asked.push(`start ${[file, ...args.filter((arg) => !arg.includes('trap'))].join(' ')}`)
      return {
        write: (line) => {
          asked.push(`write ${line.trim()}`)
          return Promise.resolve()
        },
        kill: () => asked.push('kill helper'),
      }
    },
  }
  return { system, asked }
}

describe('on Windows', () => {
  it('ends the command and its children with taskkill', () => {
    const { system, asked } = systemOf('win32')
    createProcessTree(system, false).signal(7, 'SIGTERM')
    expect(asked).toEqual(['start taskkill /pid 7 /t /f'])
  })

  it('does not signal the command on Ctrl-C, because the console does', () => {
    const { system, asked } = systemOf('win32')
    createProcessTree(system, true).signal(7, 'SIGINT')
    expect(asked).toEqual([])
  })

  it('starts no process group and no guard process', async () => {
    const { system, asked } = systemOf('win32')
    const tree = createProcessTree(system, false)
    await tree.guard(7)
    await tree.sweep(7, new ManualClock(epochMillis(0)))
    tree.release()
    expect({ detached: tree.detached, asked }).toEqual({ detached: false, asked: [] })
  })
})

describe('on POSIX', () => {
  it('signals the whole group of the command', () => {
    const { system, asked } = systemOf('linux', [-7])
    createProcessTree(system, false).signal(7, 'SIGTERM')
    expect(asked).toEqual(['start /bin/sh -c', 'kill -7 SIGTERM'])
  })

  it('signals only the command when it runs in a terminal', () => {
    const { system, asked } = systemOf('darwin', [7])
    const tree = createProcessTree(system, true)
    tree.signal(7, 'SIGTERM')
    expect({ detached: tree.detached, asked }).toEqual({
      detached: false,
      asked: ['start /bin/sh -c', 'kill 7 SIGTERM'],
    })
  })

  it('sends the id of the process group to the guard process', async () => {
    const { system, asked } = systemOf('linux')
    await createProcessTree(system, false).guard(7)
    expect(asked).toEqual(['start /bin/sh -c', 'write -7'])
  })

  it('kills the remaining processes of the group after two seconds', async () => {
    const { system, asked } = systemOf('linux', [-7])
    const clock = new ManualClock(epochMillis(0))
    await passTwoSeconds(createProcessTree(system, false), clock)
    expect([asked[1], asked.at(-1)]).toEqual(['kill -7 SIGTERM', 'kill -7 SIGKILL'])
  })

  it('does not wait when the group has already ended', async () => {
    const { system, asked } = systemOf('linux')
    await createProcessTree(system, false).sweep(7, new ManualClock(epochMillis(0)))
    expect(asked).toEqual(['start /bin/sh -c', 'kill -7 SIGTERM'])
  })
})

async function passTwoSeconds(tree: ProcessTree, clock: ManualClock): Promise<void> {
  const swept = tree.sweep(7, clock)
  for (let step = 0; step < 40; step += 1) {
    clock.advance(50)
    await Promise.resolve()
    await Promise.resolve()
  }
  await swept
}
