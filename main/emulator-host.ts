// The emulator in this process: opened on a workspace, closed, opened on another. One at a time.
import {
  createEmulator,
  type Emulator,
  listenPostgresNear,
  type Observer,
} from '../emulator/index.ts'

export interface EmulatorHost {
  /** The one that is open. */
  readonly running: RunningEmulator | undefined
  /** Closes the one that is open first. @throws {EmulatorError} when it cannot start; nothing stays open then */
  open(order: OpenOrder): Promise<RunningEmulator>
  /** Returns when everything is written out. */
  close(): Promise<void>
}

export interface OpenOrder {
  readonly folder: string
  /** 0 takes a free one. */
  readonly port: number
  /** Fixture folder to bring it to; what is there stays. */
  readonly fixture?: string
  /** Called with what is being done. */
  readonly onStep: (step: string) => void
}

export interface RunningEmulator {
  readonly emulator: Emulator
  readonly folder: string
  /** e.g. `http://127.0.0.1:7357`. */
  readonly origin: string
}

const HOST = '127.0.0.1'

/** @param observers are told what happens in every emulator it opens */
export function createEmulatorHost(observers: readonly Observer[]): EmulatorHost {
  let running: RunningEmulator | undefined

  async function close(): Promise<void> {
    const closing = running
    running = undefined
    await closing?.emulator.close()
  }

  async function open({ folder, port, fixture, onStep }: OpenOrder): Promise<RunningEmulator> {
    await close()
    onStep('Opening the database')
    const emulator = await createEmulator({ dataDir: folder }, observers)
    try {
      onStep('Opening the port')
      const socket = await emulator.listen({ port, host: HOST, ownsProcess: true })
      // For psql and graphical clients; whichever port, the `.env` block names it.
      await listenPostgresNear(emulator, { port: port === 0 ? 0 : socket.port + 1, host: HOST })
      if (fixture !== undefined) {
        onStep('Applying the fixture')
        await emulator.applyFixture(fixture)
      }
      running = { emulator, folder, origin: `http://${HOST}:${socket.port}` }
      return running
    } catch (error) {
      await emulator.close()
      throw error
    }
  }

  return {
    get running() {
      return running
    },
    open,
    close,
  }
}
