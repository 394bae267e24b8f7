// Runs one emulator at a time in this process, on the open workspace. desktop.ts calls it.
import { dirname } from 'node:path'
import {
  createEmulator,
  type Emulator,
  findApplicationFolder,
  listenPostgresNear,
  type Observer,
} from '../emulator/index.ts'

export interface EmulatorHost {
  /** `undefined` while no emulator is open. */
  readonly running: RunningEmulator | undefined
  /**
   * Closes the open emulator, then opens a new one. @throws {EmulatorError} when the new one cannot start; no emulator is open
   * then
   */
  open(order: OpenOrder): Promise<RunningEmulator>
  /** Resolves when the emulator has written all data. */
  close(): Promise<void>
}

export interface OpenOrder {
  readonly folder: string
  /** Port 0 means a free port. */
  readonly port: number
  /**
   * Fixture folder to apply (default: the application folder beside the workspace, if there is one). Existing data is kept.
   */
  readonly fixture?: string
  /** The function gets a short text when each step begins. */
  readonly onStep: (step: string) => void
}

export interface RunningEmulator {
  readonly emulator: Emulator
  readonly folder: string
  /** e.g. `http://127.0.0.1:7357`. */
  readonly origin: string
}

const HOST = '127.0.0.1'

/** @param observers receive the observations of every emulator that this host opens */
export function createEmulatorHost(observers: readonly Observer[]): EmulatorHost {
  let running: RunningEmulator | undefined

  async function close(): Promise<void> {
    const closing = running
    running = undefined
    await closing?.emulator.close()
  }

  async function open({ folder, port, onStep, ...order }: OpenOrder): Promise<RunningEmulator> {
    await close()
    const fixture = order.fixture ?? findApplicationFolder(dirname(folder))
    onStep('Opening the database')
    const emulator = await createEmulator({ dataDir: folder }, observers)
    try {
      onStep('Opening the port')
      const socket = await emulator.listen({ port, host: HOST, ownsProcess: true })
      // psql and graphical clients connect to this second port. The `.env` block contains the number of this port.
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
