// Asks the user of a command.
import { createInterface } from 'node:readline/promises'
import { terminal } from './terminal.ts'

/** Asks the user at the terminal. Returns `undefined` when standard input is no terminal or ends. */
export async function askAtTerminal(question: string): Promise<string | undefined> {
  const { stderr, stdin } = terminal()
  if (stdin.isTTY !== true) return undefined
  const lines = createInterface({ input: stdin, output: stderr })
  try {
    // `question` never resolves when the input ends, so `close` must end the wait.
    const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
    return await Promise.race([lines.question(question), ended])
  } finally {
    lines.close()
  }
}
