// The key r in the terminal of `tenantry dev`.
import type { ReadStream } from 'node:tty'

type Input = Pick<NodeJS.ReadStream, 'on' | 'isTTY'> &
  Partial<Pick<ReadStream, 'setRawMode' | 'unref'>>

const CTRL_C = '\u0003'

/**
 * Calls `press` when the user presses r, or sends a line with r where the input is no terminal. Does not keep the process alive.
 */
export function onRebuildKey(input: Input, press: () => void): void {
  const isTerminal = input.isTTY === true && input.setRawMode !== undefined
  if (isTerminal) {
    input.setRawMode?.(true)
    process.on('exit', () => input.setRawMode?.(false))
  }
  input.on('data', (bytes: Buffer) => {
    const text = bytes.toString()
    // A terminal in raw mode sends this character instead of the signal.
    if (isTerminal && text.includes(CTRL_C)) process.kill(process.pid, 'SIGINT')
    else if (isTerminal ? text === 'r' || text === 'R' : /^r\r?$/im.test(text)) press()
  })
  input.on('error', () => undefined)
  input.unref?.()
}
