// The key r of `tenantry dev`, with input from a terminal and from a pipe.
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { type KeyProcess, onRebuildKey } from '../../../emulator/cli/commands/dev/rebuild-key.ts'

class Input extends EventEmitter {
  readonly calls: unknown[] = []
  readonly isTTY: boolean
  constructor(isTTY: boolean) {
    super()
    this.isTTY = isTTY
  }
  setRawMode(isRaw: boolean): void {
    this.calls.push(isRaw ? 'raw' : 'cooked')
  }
  override emit(event: string, text: string): boolean {
    return super.emit(event, Buffer.from(text))
  }
  pause(): void {
    this.calls.push('pause')
  }
  resume(): void {
    this.calls.push('resume')
  }
  unref(): void {
    this.calls.push('unref')
  }
}

function listen(isTTY: boolean, isForeground = true) {
  const input = new Input(isTTY)
  const events = new EventEmitter()
  const signals: string[] = []
  let pressed = 0
  const owner: KeyProcess & { foreground: boolean } = {
    foreground: isForeground,
    kill: (signal) => signals.push(signal),
    on: (event, listener) => events.on(event, listener),
    isForeground: () => owner.foreground,
  }
  onRebuildKey(input, () => (pressed += 1), owner)
  return { input, events, signals, owner, pressed: () => pressed }
}

describe('the key r', () => {
  it('is read from a terminal without Enter, and the terminal’s mode is restored at the end', () => {
    const { events, input, pressed, signals } = listen(true)
    expect(input.calls).toEqual(['raw', 'resume', 'unref'])
    for (const key of ['x', 'r', 'R', 'rm', '\u001b[A']) input.emit('data', key)
    expect(pressed()).toBe(2)
    input.emit('data', '\u0003')
    expect(signals).toEqual(['SIGINT'])
    events.emit('exit')
    expect(input.calls.at(-1)).toBe('cooked')
  })

  it('is not read in the background, and is read again in the foreground', () => {
    const { events, input, owner, signals } = listen(true, false)
    expect(input.calls).toEqual(['pause', 'unref'])
    owner.foreground = true
    events.emit('SIGCONT')
    expect(input.calls.slice(2)).toEqual(['raw', 'resume'])
    input.emit('data', '\u001a')
    expect(input.calls.at(-1)).toBe('cooked')
    expect(signals).toEqual(['SIGTSTP'])
    owner.foreground = false
    events.emit('SIGCONT')
    expect(input.calls.at(-1)).toBe('pause')
  })

  it('is read as a line with r when the input does not come from a terminal', () => {
    const { input, pressed } = listen(false)
    expect(input.calls).toEqual(['unref'])
    for (const text of ['rm -r\n', 'no\n', 'no\nr\n', 'r\r\n']) input.emit('data', text)
    expect(pressed()).toBe(2)
  })
})
