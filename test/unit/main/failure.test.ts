import { describe, expect, it } from 'vitest'
import { ConfigError, ListenError } from '../../../emulator/index.ts'
import { failureView } from '../../../main/failure.ts'

describe('failureView', () => {
  it('shows buttons instead of the options that the command line names', () => {
    const error = new ListenError(
      'port_taken',
      'Port 7357 on 127.0.0.1 is already in use. Stop the other program or choose another port with --port (0 takes a free one).',
    )

    const view = failureView(error)

    expect(view.title).toBe('Another program uses the port')
    expect(view.sentence).toBe('Port 7357 on 127.0.0.1 is already in use. Stop the other program.')
    expect(view.ways_out[0]).toEqual({
      label: 'Use a free port',
      command: { kind: 'use_free_port' },
    })
  })

  it.each([
    [new ConfigError('port: must be a number.'), 'invalid_config'],
    [new Error('corrupt\n  page'), 'unforeseen'],
    ['a text', 'unforeseen'],
    [undefined, 'unforeseen'],
  ])('has a sentence and a suggestion for %s', (error, code) => {
    const view = failureView(error)

    expect(view.code).toBe(code)
    expect(view.sentence).not.toBe('')
    expect(view.ways_out.length).toBeGreaterThan(1)
  })
})
