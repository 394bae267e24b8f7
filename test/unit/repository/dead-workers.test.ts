import { describe, expect, it } from 'vitest'
import { describeDeaths, mayRunAgain } from '../../support/dead-workers.ts'

const aborted = { code: null, signal: 'SIGTRAP', said: '# Fatal error\n# Check failed\n' }

describe('test files of a dead worker', () => {
  it('run again when V8 aborted the worker', () => {
    expect(mayRunAgain([aborted], ['a.test.ts'])).toBe(true)
  })

  it.each([
    ['a worker ended by itself', [aborted, { code: 1, signal: null, said: '' }], ['a.test.ts']],
    ['another process killed a worker', [{ ...aborted, signal: 'SIGKILL' }], ['a.test.ts']],
    ['all files have results', [aborted], []],
    ['no worker died', [], ['a.test.ts']],
  ] as const)('do not run again when %s', (_name, dead, files) => {
    expect(mayRunAgain(dead, files)).toBe(false)
  })

  it('are listed after the last output of V8', () => {
    expect(describeDeaths([aborted], ['a.test.ts'])).toEqual([
      '\nA worker of vitest ended: code null, signal SIGTRAP. Its last words:',
      '# Fatal error\n# Check failed',
      '\nFiles that did not end',
      'a.test.ts',
    ])
  })
})
