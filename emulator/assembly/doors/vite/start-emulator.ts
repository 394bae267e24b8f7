// Starts `tenantry dev` or `tenantry start` as a process of its own, which ends with this process.
import { type ChildProcess, spawn } from 'node:child_process'
import { EmulatorError } from '../../../core/errors.ts'
import { IS_BUNDLED, packageFile } from '../../../core/package-files.ts'
import { findApplicationFolder } from '../../../workflow/fixtures/read/application-folder.ts'
import { END_WITH_STARTER } from '../../run-file.ts'

const COMMAND = IS_BUNDLED ? 'dist/bin.mjs' : 'emulator/cli/bin.ts'

/** The error for an emulator that ended before it was ready. The message is its own. */
export class EmulatorNotStarted extends EmulatorError {
  override readonly code = 'start_failed'
}

/** Receives what the emulator prints. */
export type PrintLine = (text: string, stream: 'stdout' | 'stderr') => void

export interface StartedEmulator {
  readonly url: string
  /** Passes on what was printed so far, and then each further text. */
  onPrint(print: PrintLine): void
  /** Ends the process, which first writes all data. */
  stop(): Promise<void>
}

/**
 * Starts the emulator in a folder: `dev` where the folder has an application's fixture, else `start` with the demo.
 * @param args further options of the command
 * @throws {EmulatorNotStarted}
 */
export async function startEmulator(
  folder: string,
  args: readonly string[],
): Promise<StartedEmulator> {
  const command = findApplicationFolder(folder) === undefined ? 'start' : 'dev'
  const options = [command, '--port', 'auto', '--log', 'none', ...args]
  const child = spawn(process.execPath, [packageFile(COMMAND), ...options], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  })
  child.send(END_WITH_STARTER)
  const output = outputOf(child)
  // Node emits no `close` after this side has closed the channel.
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', ({ ready }: ReadyMessage) => resolve(ready.inspector_url))
    child.once('error', reject)
    child.once('close', () => reject(new EmulatorNotStarted(output.complaint())))
  })
  return {
    url: new URL(url).origin,
    onPrint: output.onPrint,
    stop: async () => {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

/** The part of the emulator's first message that this file uses. */
interface ReadyMessage {
  readonly ready: { readonly inspector_url: string }
}

interface Output {
  readonly onPrint: StartedEmulator['onPrint']
  /** What the process said on standard error. */
  complaint(): string
}

function outputOf(child: ChildProcess): Output {
  const texts: Parameters<PrintLine>[] = []
  let print: PrintLine | undefined
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.on('data', (bytes: Buffer) => {
      const text = bytes.toString().trimEnd()
      if (print === undefined) texts.push([text, stream])
      else print(text, stream)
    })
  return {
    onPrint: (next) => {
      print = next
      for (const [text, stream] of texts.splice(0)) next(text, stream)
    },
    complaint: () => {
      const said = texts.filter(([, stream]) => stream === 'stderr').map(([text]) => text)
      const text = said.join('\n').replace(/^tenantry: /, '')
      return text || 'The emulator ended before it was ready, without a message.'
    },
  }
}
