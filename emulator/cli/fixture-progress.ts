// Shows the progress of a fixture from live events, as one line that is rewritten. Commands show progress only when their
// output is a terminal.
import type { EventBatch } from '../contract/events.ts'
import type { RunningEmulator } from './running-emulator.ts'

/** Returns a function that stops watching. Further calls of that function do nothing. */
export async function watchFixture(
  emulator: RunningEmulator,
  terminal: NodeJS.WriteStream,
): Promise<() => void> {
  if (!terminal.isTTY) return () => {}
  const reader = (await emulator.open('GET /events', {})).getReader()
  const decoder = new TextDecoder()
  let isOver = false
  const show = async (): Promise<void> => {
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done || isOver) return
      const frames = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const line = progressOf(frame)
        if (line !== undefined) terminal.write(`\r\u001b[K${line}`)
      }
    }
  }
  show().catch(() => undefined)
  return () => {
    if (isOver) return
    isOver = true
    terminal.write('\r\u001b[K')
    reader.cancel().catch(() => undefined)
  }
}

function progressOf(frame: string): string | undefined {
  const data = /^data: (.*)$/m.exec(frame)?.[1]
  if (data === undefined) return undefined
  // Trusted: the emulator itself sends these events.
  const { events } = JSON.parse(data) as EventBatch
  const last = events.findLast((event) => event.kind === 'fixture')
  return last && `${last.done}/${last.total}  ${last.step}`
}
